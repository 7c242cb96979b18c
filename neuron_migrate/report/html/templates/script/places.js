// A link opens what it leads to, and what that is in; one to a view sets the filters.
const show = (target) => {
  const file = target.closest(".file");
  if (file) fill(file);
  for (let each = target; each; each = each.parentElement) if (each.matches("details")) each.open = true;
  target.scrollIntoView({ block: "nearest" });
  find("summary", target)?.focus();
};
const follow = () => {
  const hash = window.location.hash.slice(1);
  if (hash.includes("=")) {
    if (!form) return;
    recall(hash);
    if (find("#findings").getBoundingClientRect().top > 0) find("#findings").scrollIntoView();
    return;
  }
  const target = document.getElementById(hash);
  if (!target?.matches("details")) return;
  if (target.hidden || target.closest(".file")?.hidden) recall("");
  show(target);
  target.scrollIntoView();
};
const lead = (label) => {
  const link = make("a", label.textContent);
  link.href = `#${new URLSearchParams([[label.dataset.filter, label.dataset.value]])}`;
  label.replaceChildren(link);
};
if (form) all("[data-filter]").forEach(lead);
window.addEventListener("hashchange", () => {
  if (form && !window.location.hash) recall("");  // back to where nothing was chosen
  follow();
});
follow();
window.addEventListener("load", () => setTimeout(follow));  // the browser's own jump takes the focus away

// Keys, which a person whose hands or voice type by accident can turn off.
const keys = find("#keys");
const step = (by) => {
  const shown = all(".file:not([hidden]) .finding:not([hidden])");
  const here = document.activeElement;
  const follows = (finding) => here.compareDocumentPosition(finding) & Node.DOCUMENT_POSITION_FOLLOWING;
  const next = shown.findIndex(follows);
  const ahead = next === -1 ? shown.length : next;
  const before = shown[ahead - 1]?.contains(here) ? ahead - 2 : ahead - 1;
  const target = shown[by > 0 ? ahead : before];
  if (target) show(target);
};
const pressed = { "/": () => find("[name=text]", form).focus(), n: () => step(1), p: () => step(-1) };
if (form) {
  keys.checked = stored((storage) => storage.getItem("neuron-migrate-keys")) !== "off";
  keys.addEventListener("change", () => {
    stored((storage) => storage.setItem("neuron-migrate-keys", keys.checked ? "on" : "off"));
  });
  document.addEventListener("keydown", (event) => {
    const { key, target, ctrlKey, metaKey, altKey, isComposing } = event;
    const typing = target.matches("input:not([type=checkbox]), select, textarea");
    if (!keys.checked || typing || ctrlKey || metaKey || altKey || isComposing) return;
    if (!Object.hasOwn(pressed, key)) return;
    event.preventDefault();
    pressed[key]();
  });
}
