"use strict";
// Draws the plots that the page holds; without scripts its tables say the same.
(() => {
  const colors = ["#1f6feb", "#d1242f", "#1a7f37", "#9a6700", "#8250df", "#0a7ea4", "#bf3989", "#57606a"];
  const dashes = [[], [6, 3], [2, 2], [8, 3, 2, 3]];
  const show = {
    percent: v => v == null ? "-" : (100 * v).toFixed(2) + "%",
    seconds: v => v == null ? "-" : v < 1 ? (1000 * v).toFixed(0) + "ms" : v.toFixed(2) + "s",
    ratio: v => v == null ? "-" : v.toFixed(3),
    count: v => v == null ? "-" : String(Math.round(v * 10) / 10),
  };
  const charts = [];
  for (const p of plots || []) {
    const box = document.getElementById("plot-" + p.id);
    const text = show[p.unit];
    const chart = new uPlot({
      width: box.clientWidth || 480,
      height: 240,
      cursor: { drag: { x: true, y: false } },
      scales: { y: { range: p.unit === "ratio" ? (u, lo, hi) => [Math.min(1, lo ?? 1), Math.max(1.05, (hi ?? 1) * 1.02)]
        : p.unit === "percent" ? (u, lo) => [Math.max(0, (lo ?? 1) - 0.02), 1] : (u, lo, hi) => [0, (hi || 1) * 1.05] } },
      axes: [{}, { size: 76, values: (u, ticks) => ticks.map(text) }],
      series: [{}].concat(p.series.map((name, i) => ({
        label: name, stroke: colors[i % colors.length], dash: dashes[Math.floor(i / colors.length) % dashes.length],
        width: 1.5, spanGaps: false, points: { show: p.times.length < 40 }, value: (u, v) => text(v),
      }))),
    }, [p.times].concat(p.values), box);
    chart.root.ariaHidden = "true"; // the box says what it shows, the table beneath has the numbers
    charts.push([chart, box]);
  }
  window.addEventListener("resize", () => charts.forEach(([c, b]) => c.setSize({ width: b.clientWidth || 480, height: 240 })));
  document.documentElement.dataset.plots = String(charts.length);
})();
