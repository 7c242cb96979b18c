"use strict";
(() => {
  const find = (selector, from = document) => from.querySelector(selector);
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const make = (tag, text, name) => {
    const made = document.createElement(tag);
    if (text !== undefined) made.textContent = text;
    if (name) made.className = name;
    return made;
  };

  // Colours: as the system, light, dark.
  const theme = find("#theme");
  const themes = { "": "as the system", light: "light", dark: "dark" };
  const paint = (name) => {
    if (name) document.documentElement.dataset.theme = name;
    else delete document.documentElement.dataset.theme;
    theme.textContent = `Colours: ${themes[name]}`;
  };
  const stored = (change) => {
    try { return change(window.localStorage); } catch { return null; }  // a page of a file may have no storage
  };
  const kept = stored((storage) => storage.getItem("neuron-migrate-theme"));
  let chosen = Object.hasOwn(themes, kept ?? "") ? kept ?? "" : "";
  paint(chosen);
  theme.hidden = false;
  theme.addEventListener("click", () => {
    const names = Object.keys(themes);
    chosen = names[(names.indexOf(chosen) + 1) % names.length];
    paint(chosen);
    stored((storage) => storage.setItem("neuron-migrate-theme", chosen));
  });

  // The tree: a closed folder hides what follows it one level deeper, and below.
  const rows = all(".tree tbody tr").map((row) => ({
    row, depth: Number(row.dataset.depth), button: find(".fold", row),
  }));
  const fold = () => {
    let closed = Infinity;
    for (const { row, depth, button } of rows) {
      row.hidden = depth > closed;
      if (row.hidden) continue;
      closed = button && button.getAttribute("aria-expanded") === "false" ? depth : Infinity;
    }
  };
  for (const { button } of rows) {
    if (!button) continue;
    button.disabled = false;
    button.addEventListener("click", () => {
      button.setAttribute("aria-expanded", String(button.getAttribute("aria-expanded") === "false"));
      fold();
    });
  }

  // The code of a finding is made when it is opened.
  const codes = JSON.parse(find("#code").textContent);
  const marked = (line, text, [first, column, last, end]) => {
    const from = line === first ? column - 1 : text.length - text.trimStart().length;
    const to = line === last ? end - 1 : text.length;
    return [text.slice(0, from), make("mark", text.slice(from, to)), text.slice(to)];
  };
  const figure = (title, lines) => {
    const made = make("figure");
    const code = make("pre");
    code.tabIndex = 0;
    code.setAttribute("role", "region");
    code.setAttribute("aria-label", title);
    code.append(...lines);
    made.append(make("figcaption", title), code);
    return made;
  };
  const titled = (words, cell, line) => `${words}, ${cell ? `cell ${cell}, ` : ""}from line ${line}`;
  const excerpt = ({ cell, first, lines, mark }) => {
    const width = String(first + lines.length).length;
    return figure(titled("Code", cell, first), lines.map((text, index) => {
      const number = first + index;
      const line = make("span");
      const inside = number >= mark[0] && number <= mark[2];
      line.append(make("span", `${String(number).padStart(width)}  `, "n"),
        ...(inside ? marked(number, text, mark) : [text]));
      return line;
    }));
  };
  const common = (one, other) => {
    let at = 0;
    while (at < one.length && at < other.length && one[at] === other[at]) at += 1;
    return at;
  };
  const reversed = (text) => [...text].reverse();
  const line = (text, pair) => {
    const tag = { "-": "del", "+": "ins", " ": "span" }[text[0]];
    const made = make(tag);
    if (pair === undefined) { made.textContent = text; return made; }
    const [mine, other] = [[...text.slice(1)], [...pair.slice(1)]];
    const head = common(mine, other);
    const tail = common(reversed(mine.slice(head)), reversed(other.slice(head)));
    made.append(text[0] + mine.slice(0, head).join(""),
      make("b", mine.slice(head, mine.length - tail).join("")), mine.slice(mine.length - tail).join(""));
    return made;
  };
  const hunk = ({ cell, first, lines }) => {
    const made = [];
    for (let at = 0; at < lines.length;) {
      const run = (sign, from) => {
        let to = from;
        while (to < lines.length && lines[to][0] === sign) to += 1;
        return lines.slice(from, to);
      };
      const old = run("-", at);
      const fresh = run("+", at + old.length);
      const paired = old.length === fresh.length;
      if (!old.length && !fresh.length) { made.push(line(lines[at])); at += 1; continue; }
      made.push(...old.map((text, index) => line(text, paired ? fresh[index] : undefined)),
        ...fresh.map((text, index) => line(text, paired ? old[index] : undefined)));
      at += old.length + fresh.length;
    }
    return figure(titled("Before and after", cell, first), made);
  };
  const explain = (finding) => {
    const rule = find(`#rule-${finding.dataset.code} .about`);
    if (!rule) return;
    const made = make("details");
    made.append(make("summary", `Why ${finding.dataset.code}, and from which sources`), rule.cloneNode(true));
    find(".rule-link", finding).remove();
    finding.append(made);
  };
  const fill = (finding) => {
    if (finding.dataset.filled) return;
    finding.dataset.filled = "yes";
    const code = codes[Number(finding.id.slice(1))];
    find("summary", finding).after(...(code.lines ? [excerpt(code)] : []), ...(code.diff ?? []).map(hunk));
    explain(finding);
  };
  document.addEventListener("toggle", ({ target }) => {
    if (target.open && target.matches(".finding")) fill(target);
  }, true);

  let filter = () => {};

  // A link opens what it leads to, and what that is in.
  const reveal = () => {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    const part = target.closest(".file");
    if (part?.hidden || target.hidden) {
      find("#filters").reset();
      filter();
    }
    for (let each = target; each; each = each.parentElement) if (each.matches("details")) each.open = true;
    if (part || target.matches(".rule")) {
      target.scrollIntoView();
      find("summary", target)?.focus({ preventScroll: true });
    }
  };
  window.addEventListener("hashchange", reveal);

  // Filters.
  const form = find("#filters");
  if (form) {
    const files = all(".file").map((file) => ({
      file, path: file.dataset.path, findings: all(".finding", file).map((finding) => ({ finding })),
    }));
    const words = (each, path) => {
      each.text ??= `${path} ${find("summary", each.finding).textContent}`.toLowerCase();
      return each.text;
    };
    const counted = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;
    const total = codes.length;
    filter = () => {
      const data = new FormData(form);
      const risks = new Set(data.getAll("risk"));
      const kinds = new Set(data.getAll("kind"));
      const [family, folder] = [data.get("family"), data.get("folder")];
      const wanted = data.get("text").toLowerCase().split(/\s+/).filter(Boolean);
      let [shown, within] = [0, 0];
      for (const { file, path, findings } of files) {
        let left = 0;
        for (const each of findings) {
          const { risk, kind, family: its } = each.finding.dataset;
          const keep = risks.has(risk) && kinds.has(kind) && (!family || family === its)
            && (!folder || path.startsWith(folder))
            && (!wanted.length || wanted.every((word) => words(each, path).includes(word)));
          if (each.finding.hidden === keep) each.finding.hidden = !keep;
          if (keep) left += 1;
        }
        if (file.hidden === left > 0) file.hidden = !left;
        shown += left;
        within += left > 0;
      }
      const of = shown === total ? "" : `${shown} of `;
      find("#shown").textContent = `${of}${counted(total, "finding")} in ${counted(within, "file")}`;
    };
    let waiting;
    form.hidden = false;
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(filter, 150); });
    form.addEventListener("reset", () => setTimeout(filter));
    const each = (open) => () => files.forEach(({ file }) => { file.open = open; });
    find("#open").addEventListener("click", each(true));
    find("#close").addEventListener("click", each(false));
    filter();  // a browser that comes back to the page fills in what was chosen
    let printed = [];
    window.addEventListener("beforeprint", () => {
      printed = files.map(({ file }) => file).filter((file) => !file.open);
      printed.forEach((file) => { file.open = true; });
    });
    window.addEventListener("afterprint", () => printed.forEach((file) => { file.open = false; }));
  }
  reveal();
})();
