// One turn: texts side by side, tokens, numbers.

const ENCODER = new TextEncoder();
const isHigh = (code) => code >= 0xd800 && code < 0xdc00;

/** How many code units two texts share at their beginning; no character is cut in two. */
function shared(a, b) {
  let at = 0;
  while (at < a.length && at < b.length && a[at] === b[at]) at += 1;
  return at > 0 && isHigh(a.charCodeAt(at - 1)) ? at - 1 : at;
}

/** A text whose line ends can be seen, with what follows byte `at` marked. */
function marked(text, at) {
  if (text === undefined) return el("p", { class: "nothing" }, "nothing");
  const visible = (part) => part.split("\n").flatMap((line, index) => (index === 0 ? [line] : [el("i", { class: "newline" }, "⏎"), "\n", line]));
  const rest = text.slice(at);
  return el("pre", null, el("span", { class: at === undefined ? "" : "same" }, visible(text.slice(0, at))),
    at === undefined ? null : el("mark", null, rest === "" ? el("i", null, "ends here") : visible(rest)));
}

function beside(what, expected, seen, name) {
  if (expected === undefined && seen === undefined) return null;
  if (expected === undefined) return el("section", null, el("h4", null, what), marked(seen));
  const at = shared(expected, seen || "");
  const place = seen === undefined ? "nothing was seen" : `they part at byte ${ENCODER.encode(expected.slice(0, at)).length}`;
  return el("section", { class: "differs" }, el("h4", null, what, el("small", null, place)),
    el("div", { class: "beside" },
      el("figure", null, el("figcaption", null, `expected, by ${name}`), marked(expected, at)),
      el("figure", null, el("figcaption", null, "seen"), marked(seen, at))));
}

const pieceOf = (token) => (typeof token.piece === "string" ? token.piece : `0x${token.piece.hex}`);

function tokenList(what, tokens, leftOut) {
  if (!tokens) return null;
  const one = (token) => {
    const kind = token.kind || "normal";
    const text = pieceOf(token).replaceAll("\n", "⏎").replaceAll(" ", "·") || "∅";
    return el("li", { class: kind, title: `${token.id}, ${kind}` }, text);
  };
  const special = tokens.filter((token) => token.kind).length;
  const note = `${plural(tokens.length + (leftOut || 0), "token")}${special ? `, ${special} of them control or special` : ""}`;
  return el("section", null, el("h4", null, what, el("small", null, note)),
    el("ol", { class: "tokens" }, tokens.map(one), leftOut ? el("li", { class: "rest" }, `and ${leftOut} more`) : null));
}

function numbers(positions, limit) {
  if (!positions) return null;
  const row = (position) => el("tr", { class: position.other_top ? "over" : "" },
    [position.pos, JSON.stringify(position.after || ""), short(position.kl), short(position.nmse), short(position.margin),
      short(position.expected_margin)].map((text) => el("td", null, String(text))));
  const head = ["position", "after", "KL", "NMSE", "margin", "expected"].map((text) => el("th", { scope: "col" }, text));
  const table = el("details", null, el("summary", null, "As a table"),
    el("div", { class: "wide" }, el("table", { class: "numbers" }, el("thead", null, el("tr", null, head)), el("tbody", null, positions.map(row)))));
  return el("section", null,
    el("h4", null, "KL divergence", el("small", null, "a lower bound, in nats, position by position")), klChart(positions, limit),
    el("h4", null, "Top-1 margin", el("small", null, el("b", { class: "seen" }, "seen"), " and ", el("b", { class: "expected" }, "expected"), "; ✗: another token is ahead")),
    marginChart(positions), table);
}

const stopText = (stop) => (stop ? `${stop.reason}${stop.token === undefined ? "" : `, token ${stop.token}`}${stop.string === undefined ? "" : `, ${JSON.stringify(stop.string)}`}` : undefined);

function turnElement(turn, index, evidence) {
  const expected = turn.expected || {};
  const name = evidence.compared_with || "the case";
  const texts = [["Prompt", "prompt"], ["Thought", "thinking"], ["Answer", "answer"]];
  return el("section", { class: "turn" },
    evidence.turns.length > 1 ? el("h3", null, `Turn ${index}`) : null,
    beside("Prompt", expected.prompt, turn.prompt, name),
    tokenList("The prompt's tokens", turn.prompt_tokens, turn.prompt_tokens_left_out),
    texts.slice(1).map(([what, field]) => beside(what, expected[field], turn[field], name)),
    tokenList("Generated tokens", turn.generated, turn.generated_left_out),
    turn.stop || expected.stop ? beside("End", stopText(expected.stop), stopText(turn.stop), name) : null,
    numbers(turn.positions, evidence.kl_limit));
}
