// Elements and text nodes. There is no way here to make markup out of text.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value !== undefined && value !== null && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(Infinity)) {
    if (child !== undefined && child !== null && child !== false) node.append(child);
  }
  return node;
}

const el = (name, attributes, ...children) => fill(document.createElement(name), attributes, children);
const svg = (name, attributes, ...children) => fill(document.createElementNS(SVG, name), attributes, children);
const $ = (id) => document.getElementById(id);

/** `1 row`, `2 rows`. */
const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

/** A sentence whose words in backticks are code. */
const prose = (text) => text.split("`").map((part, index) => (index % 2 ? el("code", null, part) : part));

/** A link that leaves the page, where it is one. */
const outside = (url) => (url.startsWith("https://")
  ? el("a", { href: url, rel: "noopener noreferrer", target: "_blank" }, url)
  : url);

/** Three digits; a number that is none has no text of its own in JSON. */
const short = (number) => (number === undefined || number === null ? "no number" : Number(number.toPrecision(3)).toString());

/** A length of time that was measured in milliseconds. */
const time = (ms) => (ms < 1000 ? `${ms.toFixed(ms < 10 ? 1 : 0)} ms` : `${(ms / 1000).toFixed(1)} s`);

/** Bytes, in binary units. */
function bytes(count) {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let unit = 0;
  while (count >= 1024 && unit < units.length - 1) { count /= 1024; unit += 1; }
  return `${Number(count.toPrecision(3))} ${units[unit]}`;
}
