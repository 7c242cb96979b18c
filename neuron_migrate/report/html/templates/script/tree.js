// The tree: a closed folder hides what follows it one level deeper, and below.
const branches = all(".tree tbody tr").map((row) => ({
  row, depth: Number(row.dataset.depth), button: find(".fold", row),
}));
const fold = () => {
  let closed = Infinity;
  for (const { row, depth, button } of branches) {
    row.hidden = depth > closed;
    if (row.hidden) continue;
    closed = button && button.getAttribute("aria-expanded") === "false" ? depth : Infinity;
  }
};
for (const { button } of branches) {
  if (!button) continue;
  button.disabled = false;
  button.addEventListener("click", () => {
    button.setAttribute("aria-expanded", String(button.getAttribute("aria-expanded") === "false"));
    fold();
  });
}
