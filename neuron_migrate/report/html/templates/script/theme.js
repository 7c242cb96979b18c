// Colours: as the system, light, dark.
const theme = find("#theme");
const themes = { "": "as the system", light: "light", dark: "dark" };
const paint = (name) => {
  if (name) document.documentElement.dataset.theme = name;
  else delete document.documentElement.dataset.theme;
  theme.textContent = `Colours: ${themes[name]}`;
};
const kept = stored((storage) => storage.getItem("neuron-migrate-theme")) ?? "";
let chosen = Object.hasOwn(themes, kept) ? kept : "";
paint(chosen);
theme.hidden = false;
theme.addEventListener("click", () => {
  const names = Object.keys(themes);
  chosen = names[(names.indexOf(chosen) + 1) % names.length];
  paint(chosen);
  stored((storage) => storage.setItem("neuron-migrate-theme", chosen));
});
