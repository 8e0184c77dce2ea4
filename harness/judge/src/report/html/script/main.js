// Which part of the page is shown: its address says so, so that Back works and a place can be shared.

const FIELDS = ["text", "family", "outcome", "layer"];
let scrolled = 0;
let last = null;

const filterOf = (parameters) => Object.fromEntries(FIELDS.map((field) => [field, parameters.get(field) || ""]));

function showOverview(parameters) {
  const form = $("filters");
  const filter = filterOf(parameters);
  for (const field of FIELDS) if (form.elements[field].value !== filter[field]) form.elements[field].value = filter[field];
  const cameBack = $("overview").hidden;
  $("item").hidden = true;
  $("overview").hidden = false;
  const wanted = JSON.stringify(filter);
  if (matrix.shown !== wanted) { matrix.shown = wanted; show(filter); }
  document.title = TITLE;
  if (cameBack) {
    scrollTo(0, scrolled);
    const link = last && [...document.querySelectorAll("#matrix a")].find((link) => link.getAttribute("href") === last);
    if (link) link.focus({ preventScroll: true });
  }
}

function showItem(key) {
  const result = BY_KEY.get(key);
  if (!$("overview").hidden) scrolled = scrollY;
  $("overview").hidden = true;
  $("item").hidden = false;
  last = result ? hrefOf(result) : null;
  $("item").replaceChildren(...(result ? itemElement(result)
    : [el("p", { class: "note" }, "This report has no such item. ", el("a", { href: "#" }, "All results"))]));
  document.title = result ? `${result.case} · ${TITLE}` : TITLE;
  $("back") && $("back").setAttribute("href", `#${overviewAddress()}`);
  scrollTo(0, 0);
  const heading = $("item").querySelector("h1");
  if (heading) heading.focus({ preventScroll: true });
}

/** The filters as they stand. */
function overviewAddress() {
  const form = $("filters");
  const parameters = new URLSearchParams();
  for (const field of FIELDS) if (form.elements[field].value) parameters.set(field, form.elements[field].value);
  return parameters.toString();
}

function route() {
  const parameters = new URLSearchParams(location.hash.slice(1));
  if (parameters.has("item")) showItem(parameters.get("item")); else showOverview(parameters);
}

function filtersChanged() {
  const address = overviewAddress();
  history.replaceState(null, "", address ? `#${address}` : "#");
  route();
}

function keys(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const typing = event.target.matches && event.target.matches("input, select");
  if (event.key === "/" && !typing && $("item").hidden) {
    event.preventDefault();
    $("filters").elements.text.focus();
  } else if (event.key === "Escape" && !$("item").hidden) {
    location.hash = overviewAddress();
  }
}

const TITLE = document.title;
for (const link of document.querySelectorAll("a[data-item]")) link.setAttribute("href", hrefOf(REPORT.results[Number(link.dataset.item)]));
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  const first = document.querySelector("#matrix a");
  if (first) first.focus();
});
startMatrix();
$("filters").addEventListener("input", filtersChanged);
$("filters").addEventListener("submit", (event) => event.preventDefault());
$("filters").addEventListener("reset", () => setTimeout(filtersChanged));
addEventListener("hashchange", route);
addEventListener("keydown", keys);
route();
