// The matrix. Rows are made when they come into view: a page with ten thousand of them opens as fast as one with ten.

const STEP = 120;
const matrix = { rows: ROWS, made: 0 };

function cell(result, subject) {
  if (!result) return el("td", { class: "none" }, el("span", { title: `not asked of ${subject}` }, "·"));
  const label = `${result.case}, ${result.model}, ${result.subject}: ${WORDS[result.outcome]}`;
  const took = result.outcome === "skip" ? null : el("small", null, time(result.milliseconds));
  return el("td", null, el("a", { href: hrefOf(result), class: TONES[result.outcome], "aria-label": label },
    el("i", { "aria-hidden": "true" }, SIGNS[result.outcome]), " ", WORDS[result.outcome], " ", took));
}

function rowElement(row) {
  const name = el("th", { scope: "row" }, el("b", null, row.case), el("span", null, row.model === "-" ? "no model" : row.model));
  return el("tr", null, name, SUBJECTS.map((subject) => cell(row.cells.get(subject), subject)));
}

function grow() {
  const next = matrix.rows.slice(matrix.made, matrix.made + STEP);
  $("matrix").tBodies[0].append(...next.map(rowElement));
  matrix.made += next.length;
  const left = matrix.rows.length - matrix.made;
  $("more").hidden = left === 0;
  $("more").textContent = `Show more: ${plural(left, "row")} left`;
}

function show(filter) {
  matrix.rows = ROWS.filter((row) => fits(row, filter));
  matrix.made = 0;
  $("matrix").tBodies[0].replaceChildren();
  $("matrix").hidden = matrix.rows.length === 0;
  $("empty").hidden = matrix.rows.length > 0;
  $("count").textContent = matrix.rows.length === ROWS.length
    ? plural(ROWS.length, "row") : `${matrix.rows.length} of ${plural(ROWS.length, "row")}`;
  grow();
}

/** Moves the focus from cell to cell. */
function move(event) {
  const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
  const step = steps[event.key];
  const here = event.target.closest("td");
  if (!step || !here) return;
  event.preventDefault();
  if (step[0] > 0 && !here.parentElement.nextElementSibling) grow();
  const row = step[0] < 0 ? here.parentElement.previousElementSibling
    : step[0] > 0 ? here.parentElement.nextElementSibling : here.parentElement;
  const to = row && row.cells[here.cellIndex + step[1]];
  const link = to && to.querySelector("a");
  if (link) link.focus();
}

function startMatrix() {
  const head = el("tr", null, el("th", { scope: "col" }, "case"), SUBJECTS.map((subject) => el("th", { scope: "col" }, subject)));
  $("matrix").tHead.append(head);
  $("matrix").addEventListener("keydown", move);
  $("more").addEventListener("click", grow);
  const seen = (entries) => { if (entries.some((entry) => entry.isIntersecting) && !$("more").hidden) grow(); };
  new IntersectionObserver(seen, { rootMargin: "600px" }).observe($("more"));
}
