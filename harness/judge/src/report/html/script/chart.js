// Drawings, as SVG elements.

// As wide as the page, so that letters keep their size on a phone.
let WIDTH = 720;
const HEIGHT = 130;
const LEFT = 46;
const BOTTOM = 20;

function chart(label, positions, drawn, ticks, scale) {
  const inner = WIDTH - LEFT - 8;
  const x = (index) => LEFT + (inner * (index + 0.5)) / positions.length;
  const y = (value) => 8 + (HEIGHT - 8 - BOTTOM) * (1 - scale(value));
  const grid = ticks.map(([value, text]) => [
    svg("line", { x1: LEFT, x2: WIDTH - 8, y1: y(value), y2: y(value), class: "grid" }),
    svg("text", { x: LEFT - 6, y: y(value) + 4, class: "tick end" }, text),
  ]);
  const ends = [0, positions.length - 1].filter((index, at) => at === 0 || index > 0).map((index) => svg("text",
    { x: x(index), y: HEIGHT - 4, class: `tick ${index === 0 ? "" : "end"}` }, String(positions[index].pos)));
  return svg("svg", { width: WIDTH, height: HEIGHT, viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label }, grid, ends, drawn(x, y, inner / positions.length));
}

const describe = (position) => `position ${position.pos}, after ${JSON.stringify(position.after || "")}: `
  + `KL ${short(position.kl)}, NMSE ${short(position.nmse)}, `
  + `margin ${short(position.margin)}, expected ${short(position.expected_margin)}`
  + `${position.other_top ? "; another token is the most likely one" : ""}`;

/** KL divergence at each position, on a logarithmic scale; what is no number reaches the top. */
function klChart(positions, limit) {
  const low = 1e-9;
  const values = positions.map((position) => position.kl).filter((kl) => kl !== undefined);
  const high = Math.max(1, ...values);
  const scale = (kl) => Math.log(Math.max(kl, low) / low) / Math.log(high / low);
  const ticks = [1e-9, 1e-6, 1e-3, 1].map((value) => [value, value === 1 ? "1" : value.toExponential().replace("e-", "e−")]);
  const bars = (x, y, width) => [
    positions.map((position, index) => {
      const top = y(position.kl === undefined ? high : position.kl);
      const wide = Math.max(1, Math.min(width * 0.8, 14));
      const over = position.kl === undefined || (limit !== undefined && position.kl > limit);
      return svg("rect", {
        x: x(index) - wide / 2, y: Math.min(top, y(low) - 1.5), width: wide, height: Math.max(1.5, y(low) - top),
        class: over ? "bar over" : "bar",
      }, svg("title", null, describe(position)));
    }),
    limit === undefined ? null : [
      svg("line", { x1: LEFT, x2: WIDTH - 8, y1: y(limit), y2: y(limit), class: "limit" }),
      svg("text", { x: WIDTH - 10, y: y(limit) - 4, class: "tick end" }, `limit ${short(limit)}`),
    ],
  ];
  return chart("KL divergence at each position", positions, bars, ticks, scale);
}

/** How far the most likely token is ahead of the next, seen and expected. */
function marginChart(positions) {
  const all = positions.flatMap((position) => [position.margin, position.expected_margin]).filter((margin) => margin !== undefined);
  const high = Math.max(1, ...all);
  const line = (x, y, field, name) => {
    const points = positions.map((position, index) => [position, index]).filter(([position]) => position[field] !== undefined);
    const path = points.map(([position, index]) => `${x(index).toFixed(1)},${y(position[field]).toFixed(1)}`).join(" ");
    const dots = points.map(([position, index]) => svg("circle", { cx: x(index), cy: y(position[field]), r: 2.5, class: name },
      svg("title", null, describe(position))));
    return [svg("polyline", { points: path, class: `line ${name}` }), dots];
  };
  const drawn = (x, y) => [line(x, y, "expected_margin", "expected"), line(x, y, "margin", "seen"),
    positions.map((position, index) => (position.other_top
      ? svg("text", { x: x(index), y: 14, class: "tick middle over" }, "✗", svg("title", null, describe(position))) : null))];
  return chart("Margin of the most likely token at each position", positions, drawn,
    [[0, "0"], [high, short(high)]], (margin) => margin / high);
}

/** Buffers one after the other, and a line for each limit. */
function memoryChart(memory) {
  const total = memory.buffers.reduce((sum, buffer) => sum + buffer.bytes, 0);
  const high = Math.max(total, ...(memory.limits || []).map((limit) => limit.bytes)) || 1;
  const x = (count) => (WIDTH * count) / high;
  let before = 0;
  const parts = memory.buffers.map((buffer, index) => {
    const part = svg("rect", { x: x(before), y: 14, width: Math.max(1, x(buffer.bytes)), height: 26, class: `part part${index % 4}` },
      svg("title", null, `${buffer.name}: ${bytes(buffer.bytes)}`));
    before += buffer.bytes;
    return part;
  });
  const limits = (memory.limits || []).map((limit) => svg("line",
    { x1: Math.min(WIDTH - 1, x(limit.bytes)), x2: Math.min(WIDTH - 1, x(limit.bytes)), y1: 4, y2: 50, class: "limit" },
    svg("title", null, `${limit.name}: ${bytes(limit.bytes)}`)));
  return svg("svg", { width: WIDTH, height: 54, viewBox: `0 0 ${WIDTH} 54`, role: "img", "aria-label": `${bytes(total)} of buffers` }, parts, limits);
}
