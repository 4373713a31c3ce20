// Comfort on top of a page that is whole without it: numbers where one points or steps by keyboard, tables that sort,
// pictures and numbers as files, code that copies itself.
document.documentElement.classList.add("js");
const make = (tag, className, words = "") => {
  const element = document.createElement(tag);
  element.className = className;
  element.textContent = words;
  return element;
};
const button = (words, label, act) => {
  const out = make("button", "tool", words);
  out.type = "button";
  if (label) out.setAttribute("aria-label", label);
  out.addEventListener("click", act);
  return out;
};

// ---- the numbers of marks. A mark is a group of class "bin" or "at" with a title; one of each picture can be reached by Tab, the others from
// it by arrows. Pointing anywhere in a picture shows the nearest.
const tip = make("div", "tip");
tip.hidden = true;
tip.setAttribute("aria-hidden", "true");
document.body.append(tip);
let shown = null;
const show = (mark) => {
  if (shown) shown.classList.remove("on");
  shown = mark;
  tip.hidden = !mark;
  if (!mark) return;
  mark.classList.add("on");
  tip.textContent = mark.getAttribute("aria-label");
  const box = mark.getBoundingClientRect(), room = document.documentElement.clientWidth;
  const left = box.left + box.width / 2 - tip.offsetWidth / 2, above = box.top - tip.offsetHeight - 10;
  tip.style.left = Math.max(4, Math.min(left, room - tip.offsetWidth - 4)) + "px";
  tip.style.top = (above > 4 ? above : Math.min(box.bottom + 10, innerHeight - tip.offsetHeight - 4)) + "px";
};
const nearest = (marks, x, y) => {
  let best = null, least = [Infinity, Infinity];
  for (const mark of marks) {
    const b = mark.getBoundingClientRect();
    if (b.width + b.height === 0) continue;  // hidden
    const away = Math.hypot(Math.max(b.left - x, 0, x - b.right), Math.max(b.top - y, 0, y - b.bottom));
    const middle = Math.hypot(b.left + b.width / 2 - x, b.top + b.height / 2 - y);
    if (away < least[0] || (away === least[0] && middle < least[1])) [best, least] = [mark, [away, middle]];
  }
  return best;
};
for (const svg of document.querySelectorAll("figure svg")) {
  const titles = [...svg.querySelectorAll("g.bin > title, g.at > title")], marks = titles.map((title) => title.parentElement);
  if (!marks.length) continue;
  const name = svg.querySelector(":scope > title");
  svg.setAttribute("role", "group");
  svg.setAttribute("aria-label", name.textContent);
  name.remove();  // a browser would show it beside the tip
  titles.forEach((title, i) => {
    marks[i].setAttribute("role", "img");
    marks[i].setAttribute("aria-label", title.textContent);
    marks[i].setAttribute("tabindex", i ? -1 : 0);
    title.remove();
  });
  const focused = () => (marks.includes(document.activeElement) ? document.activeElement : null);
  svg.addEventListener("pointermove", (event) => show(nearest(marks, event.clientX, event.clientY)));
  svg.addEventListener("pointerleave", () => show(focused()));
  svg.addEventListener("focusin", (event) => show(event.target));
  svg.addEventListener("focusout", () => show(null));
  svg.addEventListener("keydown", (event) => {
    const at = marks.indexOf(focused()), last = marks.length - 1;
    const to = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: last }[event.key];
    if (event.key === "Escape") show(null);
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    const next = marks[Math.max(0, Math.min(to, last))];
    marks[at].setAttribute("tabindex", -1);
    next.setAttribute("tabindex", 0);
    next.focus();
  });
}
addEventListener("scroll", () => show(null), { passive: true });

// ---- tables: sorted by a heading, up, down, and as they were
const keyOf = (cell) => {
  const words = cell ? cell.textContent.trim() : "";
  if (cell && cell.dataset.v) return Number(cell.dataset.v.split(" ")[0]);
  return words && words !== "n/a" ? words : null;
};
const compare = (a, b) => (typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), "en", { numeric: true }));
for (const table of document.querySelectorAll("table")) {
  const body = table.tBodies[0], rows = [...body.rows], heads = [...table.tHead.rows[0].cells];
  if (rows.length < 3) continue;
  heads.forEach((head, column) => {
    const sort = button("", "", () => {
      const next = { none: "ascending", ascending: "descending", descending: "none" }[head.getAttribute("aria-sort") || "none"];
      for (const other of heads) other.removeAttribute("aria-sort");
      if (next !== "none") head.setAttribute("aria-sort", next);
      const sign = next === "ascending" ? 1 : -1, keys = new Map(rows.map((row) => [row, keyOf(row.cells[column])]));
      const order = next === "none" ? rows : [...rows].sort((a, b) => {
        const [x, y] = [keys.get(a), keys.get(b)];
        return x === null || y === null ? (x === null) - (y === null) : sign * compare(x, y);
      });
      body.append(...order);
    });
    sort.className = "sort";
    sort.append(...head.childNodes);
    head.append(sort);
  });
}

// ---- files
const stem = document.querySelector("h1").textContent.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "").slice(-60);
const save = (name, type, text) => {
  const link = make("a", "");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = stem + "-" + name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
};
const csvOf = (table) => {
  // As the program's own CSV: a spreadsheet takes no text for a formula.
  const plain = (text) => (/^[=+\-@＝＋－＠]/.test(text) && isNaN(text) ? "'" + text : text);
  const quoted = (text) => (/[",\r\n]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text);
  const heads = [...table.tHead.rows[0].cells], names = heads.map((h) => (h.dataset.csv ? h.dataset.csv.split("|") : [h.textContent]));
  const lines = [names.flat()];
  for (const row of table.tBodies[0].rows)
    lines.push([...row.cells].flatMap((cell, i) => {
      const values = cell.dataset.v ? cell.dataset.v.split(" ") : [heads[i].className === "n" ? "" : cell.textContent.trim()];
      return names[i].map((_, j) => values[j] ?? "");
    }));
  return lines.map((line) => line.map(plain).map(quoted).join(",") + "\n").join("");
};
// The picture as it was before this script: whole by itself, in the colours of day.
const fileOf = (svg) => {
  const copy = svg.cloneNode(true), space = "http://www.w3.org/2000/svg";
  for (const named of [copy, ...copy.querySelectorAll("[aria-label]")]) {
    const words = named.getAttribute("aria-label");
    for (const name of ["aria-label", "tabindex", "role"]) named.removeAttribute(name);
    named.classList.remove("on");
    if (words === null) continue;
    const title = document.createElementNS(space, "title");
    title.textContent = words;
    named.prepend(title);
  }
  copy.setAttribute("role", "img");
  for (const [, id] of copy.outerHTML.matchAll(/url\(#([\w-]+)\)/g))  // hatchings that pictures of the page share
    if (!copy.querySelector("#" + id)) copy.querySelector("desc").after(document.getElementById(id).parentElement.cloneNode(true));
  return new XMLSerializer().serializeToString(copy);
};
for (const figure of document.querySelectorAll("figure[data-name]")) {
  const name = figure.dataset.name, tools = make("p", "tools"), svg = figure.querySelector("svg");
  const table = figure.querySelector("table") || document.getElementById(figure.dataset.table || "");
  tools.append(button("SVG", "Download this picture as SVG", () => save(name + ".svg", "image/svg+xml", fileOf(svg))));
  if (table || figure.dataset.csv)
    tools.append(button("CSV", "Download the numbers of this picture as CSV",
      () => save(name + ".csv", "text/csv", figure.dataset.csv || table.closest("figure")?.dataset.csv || csvOf(table))));
  figure.querySelector("figcaption").after(tools);
}
for (const table of document.querySelectorAll("table"))
  if (!table.closest("figure"))
    table.caption.append(" ", button("CSV", "Download this table as CSV", () => save(table.id + ".csv", "text/csv", csvOf(table))));

for (const block of document.querySelectorAll("pre.copy")) {
  const code = block.querySelector("code");
  const copy = button("Copy", "Copy: " + block.getAttribute("aria-label"), () => {
    getSelection().selectAllChildren(code);
    Promise.resolve(navigator.clipboard && navigator.clipboard.writeText(code.textContent))
      .then(() => { copy.textContent = "Copied"; }, () => { copy.textContent = "Selected"; });
    setTimeout(() => { copy.textContent = "Copy"; }, 2000);
  });
  block.append(copy);
}
addEventListener("beforeprint", () => {
  for (const part of document.querySelectorAll("details:not(figure details)")) part.open = true;
});
