// A case's page: one item, everything that is known of it.

function copyable(text) {
  const button = el("button", { type: "button" }, "Copy");
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
    } catch {
      // Some browsers give a page that was opened from a file no clipboard.
      getSelection().selectAllChildren(button.previousElementSibling);
      button.textContent = "Selected: copy it";
    }
  });
  return el("div", { class: "command" }, el("code", null, text), button);
}

/** The layers in the order of blame: which one is blamed, and in which others something shows. */
function chain(result) {
  const shows = new Set((result.findings || []).map((finding) => finding.layer));
  const state = (layer) => (layer === result.blame.layer ? "blamed" : shows.has(layer) ? "shows" : "");
  return el("ol", { class: "chain", "aria-label": "layers, in the order of blame" }, LAYERS.map((layer) => el("li",
    { class: state(layer), "aria-current": layer === result.blame.layer ? "true" : null }, layer)));
}

function blame(result) {
  if (!result.blame) return null;
  const remark = REMARKS.has(result.blame.code);
  return el("section", { class: "blame" }, el("h2", null, remark ? "A remark" : `Blamed: ${result.blame.layer}`), remark ? null : chain(result),
    el("p", { class: "sentence" }, prose(result.blame.sentence)), el("p", { class: "next" }, "Next: ", prose(result.blame.next)));
}

function findings(result) {
  if (!result.findings) return null;
  const one = (finding) => el("li", null, el("code", null, finding.code), " ", el("span", { class: "layer" }, finding.layer), " ", finding.message);
  return el("section", null, el("h2", null, "Findings"), el("ul", { class: "findings" }, result.findings.map(one)));
}

/** Which node of the graph is wrong. */
function trace(result) {
  if (!result.trace) return null;
  return el("section", { class: "trace" }, el("h2", null, "Traced to the operator"), el("p", { class: "sentence" }, prose(result.trace.sentence)),
    el("details", null, el("summary", null, "The whole trace"), el("pre", null, result.trace.text)));
}

function elsewhere(result) {
  const same = REPORT.results.filter((other) => other.case === result.case);
  if (same.length < 2) return null;
  const one = (other) => el("li", null, el("a", { href: hrefOf(other), class: TONES[other.outcome], "aria-current": other === result ? "page" : null },
    SIGNS[other.outcome], " ", other.subject, other.model === "-" ? "" : el("small", null, other.model)));
  return el("nav", { "aria-label": "the same case elsewhere" }, el("ul", { class: "elsewhere" }, same.map(one)));
}

function memory(evidence) {
  if (!evidence.memory) return null;
  const one = (amount, index, limit) => el("li", { class: limit ? "bound" : `part${index % 4}` }, `${amount.name}: ${bytes(amount.bytes)}`);
  return el("section", null, el("h2", null, "Memory"), memoryChart(evidence.memory), el("ul", { class: "legend" },
    evidence.memory.buffers.map((amount, index) => one(amount, index, false)),
    (evidence.memory.limits || []).map((amount, index) => one(amount, index, true))));
}

function about(result) {
  const note = (REPORT.cases || {})[result.case];
  return el("section", null, el("h2", null, "The case"),
    note ? el("p", null, note.why) : null,
    el("p", null, el("code", null, `cases/${result.case}.json${result.line ? `:${result.line}` : ""}`)),
    note && note.links ? el("ul", null, note.links.map((link) => el("li", null, outside(link)))) : null);
}

function log(result) {
  if (!result.log_tail) return null;
  return el("details", { class: "log", open: isBad(result) }, el("summary", null, `Log: the last ${plural(result.log_tail.length, "line")}`),
    el("pre", null, result.log_tail.join("\n")));
}

/** The problems before and after this one. */
function neighbours(result) {
  const bad = REPORT.results.filter(isBad);
  const at = bad.indexOf(result);
  if (at < 0 || bad.length < 2) return null;
  const link = (other, text) => (other ? el("a", { href: hrefOf(other) }, text) : el("span", null, text));
  return el("span", { class: "neighbours" }, link(bad[at - 1], "← previous"), ` ${at + 1} of ${plural(bad.length, "failure")} `, link(bad[at + 1], "next →"));
}

/** `412 of 430 nodes on Vulkan0; SOFT_MAX on CPU`. */
function placement(result) {
  if (!result.placement) return null;
  const nodes = Object.entries(result.placement.nodes).sort((a, b) => b[1] - a[1]);
  const all = nodes.reduce((sum, [, count]) => sum + count, 0);
  const rest = Object.entries(result.placement.elsewhere || {}).map(([device, operators]) => `; ${operators.join(", ")} on ${device}`);
  return el("p", { class: "facts" }, `${nodes[0][1]} of ${all} nodes on ${nodes[0][0]}${rest.join("")}`);
}

function itemElement(result) {
  const evidence = result.evidence || {};
  const style = getComputedStyle($("item"));
  WIDTH = Math.max(280, $("item").clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight));
  const turns = (evidence.turns || []).map((turn, index) => turnElement(turn, index, evidence));
  const took = result.outcome === "skip" ? "" : `, ${time(result.milliseconds)}, ${time(result.compute_us / 1000)} of it in llama.cpp`;
  const kept = turns.length > 0 || result.findings || result.reason;
  return [
    el("nav", { class: "crumbs" }, el("a", { href: "#", id: "back" }, "← All results"), neighbours(result)),
    el("header", null, el("p", { class: "brand" }, familyOf(result)), el("h1", { tabindex: "-1" }, result.case),
      el("p", { class: "facts" }, el("span", { class: `badge ${TONES[result.outcome]}` }, SIGNS[result.outcome], " ", WORDS[result.outcome]),
        ` ${result.subject}`, result.model === "-" ? "" : `, ${result.model}`, took)),
    placement(result),
    elsewhere(result),
    result.reason ? el("p", { class: "note" }, result.reason) : null,
    blame(result),
    trace(result),
    el("section", null, el("h2", null, "Ask it again"), copyable(reproduce(result))),
    findings(result),
    turns.length ? el("section", null, el("h2", null, "What was seen"), turns) : null,
    kept ? null : el("p", { class: "note" }, "Nothing of the answer was kept."),
    memory(evidence),
    about(result),
    log(result),
  ].filter(Boolean);
}
