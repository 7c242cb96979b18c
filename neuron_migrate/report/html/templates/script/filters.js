// Filters, which the address of the page holds as well.
const form = find("#filters");
const files = all(".file").map((file) => ({
  file, path: file.dataset.path, findings: all(".finding", file).map((finding) => ({ finding })),
}));
const total = files.reduce((sum, { findings }) => sum + findings.length, 0);
const groups = ["risk", "kind"];
const words = (each, path) => {
  each.text ??= `${path} ${find("summary", each.finding).textContent}`.toLowerCase();
  return each.text;
};
const keeping = (data) => {
  const [risks, kinds] = groups.map((name) => new Set(data.getAll(name)));
  const [family, folder, left] = ["family", "folder", "left"].map((name) => data.get(name));
  const wanted = data.get("text").toLowerCase().split(/\s+/).filter(Boolean);
  return (each, path) => {
    const { risk, kind, family: its, resolved } = each.finding.dataset;
    return risks.has(risk) && kinds.has(kind) && (!family || family === its)
      && !(left && resolved !== undefined) && (!folder || path.startsWith(folder))
      && (!wanted.length || wanted.every((word) => words(each, path).includes(word)));
  };
};
const filter = () => {
  const keeps = keeping(new FormData(form));
  let [shown, within] = [0, 0];
  for (const { file, path, findings } of files) {
    let left = 0;
    for (const each of findings) {
      const keep = keeps(each, path);
      if (each.finding.hidden === keep) each.finding.hidden = !keep;
      if (keep) left += 1;
    }
    if (file.hidden === left > 0) file.hidden = !left;
    if (file.dataset.filled) tidy(file);
    shown += left;
    within += left > 0;
  }
  const of = shown === total ? "" : `${shown} of `;
  find("#shown").textContent = `${of}${counted(total, "finding")} in ${counted(within, "file")}`;
};

// Only what differs from the start is in the address; a group without a choice is an empty one.
const state = () => {
  const data = new FormData(form);
  const held = new URLSearchParams();
  for (const name of groups) {
    if (find(`[name=${name}]:not(:checked)`, form)) held.set(name, data.getAll(name).join(" "));
  }
  for (const name of ["family", "folder", "left", "text"]) if (data.get(name)) held.set(name, data.get(name));
  return held.toString();
};
const remember = () => {
  const { href, hash } = window.location;
  const held = state();
  if (!held && !hash.includes("=")) return;
  try {
    window.history.replaceState(null, "", `${href.slice(0, href.length - hash.length)}#${held}`);
  } catch { /* a page without an address */ }
};
const recall = (hash) => {
  const held = new URLSearchParams(hash);
  for (const name of groups) {
    const wanted = held.has(name) && held.get(name).split(" ");
    for (const box of all(`[name=${name}]`, form)) box.checked = !wanted || wanted.includes(box.value);
  }
  find("[name=left]", form).checked = held.has("left");
  for (const name of ["family", "folder", "text"]) {
    const control = find(`[name=${name}]`, form);
    control.value = held.get(name) ?? "";
    if (control.selectedIndex === -1) control.value = "";  // a folder of another page
  }
  filter();
};
if (form) {
  let waiting;
  const changed = () => { filter(); remember(); };
  form.hidden = false;
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(changed, 150); });
  form.addEventListener("reset", () => setTimeout(changed));
  const each = (open) => () => files.forEach(({ file }) => { file.open = open; });
  find("#open").addEventListener("click", each(true));
  find("#close").addEventListener("click", each(false));
  filter();  // a browser that comes back to the page fills in what was chosen
}
