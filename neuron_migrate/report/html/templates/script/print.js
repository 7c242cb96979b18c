// Paper shows everything: files, their code, the rules.
let printed = [];
window.addEventListener("beforeprint", () => {
  files.forEach(({ file }) => fill(file));
  printed = all(".file:not([open]), .rule:not([open])");
  printed.forEach((each) => { each.open = true; });
});
window.addEventListener("afterprint", () => printed.forEach((each) => { each.open = false; }));
