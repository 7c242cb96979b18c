// The code of a file is made when the file is open and near; its findings move to their lines.
const code = JSON.parse(find("#code").textContent);
const counted = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;

const runs = (content) => {
  if (typeof content === "string") return [content];
  const made = [];
  let mark;
  for (const [marks, text] of content) {
    const run = marks & 1 ? make("b", text) : text;
    if (!(marks & 2)) made.push(run);
    else if (mark) mark.append(run);
    else made.push(make("mark", run));
    mark = marks & 2 ? made[made.length - 1] : undefined;
  }
  return made;
};
const line = (number, content, tag) => {
  if (content === null) return [make("td", [], "n none"), make("td", [], "line none")];
  return [make("td", String(number), "n"), make("td", make(tag, runs(content)), `line ${tag}`)];
};
const found = (row, two) => {
  const here = make("td", [], "here");
  here.append(...(row.left ?? row.right).map((number) => document.getElementById(`f${number}`)));
  here.colSpan = 2;
  const made = make("tr", here, "found");
  if (two) {
    const beside = make("td", [], "none");
    beside.colSpan = 2;
    if (row.left) made.append(beside); else made.prepend(beside);
  }
  return made;
};
const built = (row, two) => {
  if (!Array.isArray(row)) return found(row, two);
  if (row.length === 4) {
    return make("tr", [...line(row[0], row[1], "del"), ...line(row[2], row[3], "ins")]);
  }
  const [old, fresh, content] = row;
  return make("tr", [...line(old, content, "span"), ...(two ? line(fresh, content, "span") : [])], "same");
};
const table = (rows, two, title) => {
  const heads = two ? ["line", "before", "line", "after"] : ["line", "code"];
  const head = make("tr", heads.map((text, index) => {
    const made = make("th", make("span", text, "unseen"), index % 2 ? "" : "n");
    made.scope = "col";
    return made;
  }));
  const body = make("tbody", rows.map((row) => built(row, two)));
  return make("table", [make("caption", title, "unseen"), make("thead", head), body],
    two ? "diff two" : "diff");
};
const titled = (rows, cell) => {
  const lines = rows.filter(Array.isArray).map((row) => row[0]).filter(Boolean);
  const span = lines.length ? `lines ${lines[0]} to ${lines[lines.length - 1]}` : "new lines";
  return cell ? `Cell ${cell}, ${span}` : `Code, ${span}`;
};
const folded = ({ fold: number, rows }, two, cell) => {
  const words = counted(number, "unchanged line");
  if (!rows) return make("p", words, "folded");
  const made = make("details", make("summary", words), "folded");
  made.addEventListener("toggle", () => made.append(table(rows, two, titled(rows, cell))), { once: true });
  return made;
};
const parts = (given) => {
  const two = given.some(({ rows }) => rows?.some((row) => row.length === 4));
  let cell;
  return given.flatMap((part) => {
    cell = part.cell ?? cell;
    const made = part.fold ? folded(part, two, cell)
      : make("div", table(part.rows, two, titled(part.rows, cell)), "part");
    return part.cell ? [make("h4", `Cell ${cell}`), made] : [made];
  });
};

// What the filters hide takes its lines along.
const tidy = (file) => {
  const hide = (holder) => {
    const inside = all(".finding", holder);
    holder.hidden = inside.length > 0 && inside.every((finding) => finding.hidden);
  };
  all(".found, .part", file).forEach(hide);
};
const fill = (file) => {
  if (file.dataset.filled) return;
  file.dataset.filled = "yes";
  const given = code.files[Number(file.id.slice("file-".length))];
  if (!given?.length) return;
  const focused = document.activeElement;
  file.append(make("div", parts(given), "code-of"));
  tidy(file);
  if (file.contains(focused)) focused.focus({ preventScroll: true });  // moving it took the focus away
};
const explain = (finding) => {
  if (finding.dataset.filled) return;
  finding.dataset.filled = "yes";
  const fix = code.fixes[finding.id.slice(1)];
  if (fix) finding.append(make("p", make("b", "What its fix changes, if you want it:")), ...parts(fix));
  const about = find(`#rule-${finding.dataset.code} .about`);
  if (!about) return;
  find(".rule-link", finding).remove();
  const copy = about.cloneNode(true);
  const summary = find(".said", copy);
  if (find(".message", finding).textContent.includes(summary.textContent)) summary.remove();
  finding.append(copy);
};
const near = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting || !target.open) continue;
    near.unobserve(target);
    fill(target);
  }
}, { rootMargin: "1000px" });
document.addEventListener("toggle", ({ target }) => {
  if (!target.open) return;
  if (target.matches(".file")) near.observe(target);
  if (target.matches(".finding")) explain(target);
}, true);
all(".file[open]").forEach((file) => near.observe(file));
