/** A chart on the screen: zoom by dragging or by buttons, values under the pointer, markers beside colours and dashes. */
import { useEffect, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { Swatch } from "../components/swatch.js";
import { decade, power, value } from "../format.js";
import { markerPath } from "../palette.js";
import { dark } from "../theme.js";
import { aligned, type ChartContent, decades, limits, markerIndices, onLog, widened } from "./series.js";

interface Reading {
  left: number;
  top: number;
  x: number;
  values: { label: string; colour: string; text: string }[];
}

interface Props {
  content: ChartContent;
  height: number;
  /** names of the curves under the title, where no list of them stands beside */
  legend?: boolean;
}

export function Chart({ content, height, legend = false }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const latest = useRef(content);
  latest.current = content;
  const zoomed = useRef(false);
  const [reading, setReading] = useState<Reading>();
  const night = dark.value;
  const shape = `${night} ${content.log} ${content.xLabel} ${content.series.map((s) => `${s.label}${s.look.colour}${s.look.dash}`)}`;

  useEffect(() => {
    const host = box.current!;
    zoomed.current = false;
    const u = new uPlot(options(host.clientWidth, height, latest, setReading, zoomed), data(latest.current), host);
    plot.current = u;
    const observer = new ResizeObserver(() => u.setSize({ width: host.clientWidth, height }));
    observer.observe(host);
    return () => {
      observer.disconnect();
      u.destroy();
      plot.current = undefined;
    };
  }, [shape, height]);

  useEffect(() => {
    const u = plot.current;
    if (!u) return;
    for (const [i, { hidden = false }] of content.series.entries()) {
      if (u.series[i + 1]!.show === hidden) u.setSeries(i + 1, { show: !hidden });
    }
    u.setData(data(content), !zoomed.current);
    if (zoomed.current) u.redraw();
  }, [content]);

  const zoom = (factor: number): void => {
    const u = plot.current;
    if (!u) return;
    const { min, max } = u.scales.x!;
    if (min == null || max == null) return;
    const [middle, half] = [(min + max) / 2, ((max - min) / 2) * factor];
    zoomed.current = true;
    u.setScale("x", { min: middle - half, max: middle + half });
  };
  const reset = (): void => {
    zoomed.current = false;
    plot.current?.setData(data(latest.current), true);
  };

  return (
    <figure class="chart">
      <figcaption>
        <span>{content.title}</span>
        <span class="chart-tools">
          <button type="button" onClick={() => zoom(0.5)} aria-label={`Zoom into ${content.title}`}>
            +
          </button>
          <button type="button" onClick={() => zoom(2)} aria-label={`Zoom out of ${content.title}`}>
            −
          </button>
          <button type="button" onClick={reset} aria-label={`Show all of ${content.title}`}>
            ⤢
          </button>
        </span>
      </figcaption>
      {legend && (
        <p class="legend">
          {content.series.map((s) => (
            <span key={s.label}>
              <Swatch look={s.marks ? { ...s.look, marker: "circle" } : s.look} /> {s.label}
            </span>
          ))}
        </p>
      )}
      <div class="chart-box" ref={box} style={{ height: `${height}px` }} role="img" aria-label={describe(content)}>
        {reading && (
          <div class="reading" style={{ left: `${reading.left}px`, top: `${reading.top}px` }} aria-hidden="true">
            <b>
              {content.xLabel} {power(reading.x, 3)}
            </b>
            {reading.values.map((v) => (
              <span key={v.label}>
                <i style={{ background: v.colour }} />
                {v.label}: {v.text}
              </span>
            ))}
          </div>
        )}
      </div>
    </figure>
  );
}

const data = (c: ChartContent): uPlot.AlignedData => aligned(c.series, c.log) as uPlot.AlignedData;

/** For those who do not see the curves: where each of them ends. */
function describe({ title, series, xLabel }: ChartContent): string {
  const ends = series
    .filter((s) => s.y.length > 0 && !s.hidden)
    .map((s) => `${s.label}: ${power(s.y.at(-1)!)} at ${xLabel} ${power(s.x.at(-1)!, 3)}`);
  return `${title}. ${ends.join("; ") || "No data yet."}`;
}

function options(
  width: number,
  height: number,
  latest: { current: ChartContent },
  read: (r: Reading | undefined) => void,
  zoomed: { current: boolean },
): uPlot.Options {
  const content = latest.current;
  const style = getComputedStyle(document.documentElement);
  const [ink, faint] = [style.getPropertyValue("--muted"), style.getPropertyValue("--grid")];
  const axis = {
    stroke: ink,
    grid: { stroke: faint, width: 1 },
    ticks: { stroke: faint, width: 1 },
    font: "12px system-ui, sans-serif",
    labelFont: "12px system-ui, sans-serif",
    labelSize: 18,
  };
  return {
    width,
    height,
    padding: [8, 10, 0, 0],
    legend: { show: false },
    cursor: { drag: { x: true, y: true, uni: 24 }, points: { show: false } },
    scales: {
      x: { time: false, range: (_u, low, high) => widened(low ?? 0, high ?? 1) },
      y: {
        distr: content.log ? 3 : 1,
        range: (_u, low, high) =>
          zoomed.current ? (content.log ? [low, high] : widened(low, high)) : limits(latest.current),
      },
    },
    axes: [
      { ...axis, label: content.xLabel, size: 34, values: (_u, splits) => splits.map((v) => short(v)) },
      {
        ...axis,
        size: 58,
        ...(content.log && {
          splits: (u: uPlot) => decades(u.scales.y!.min ?? 1e-8, u.scales.y!.max ?? 1, Math.max(3, height / 36)),
          filter: (_u: uPlot, splits: number[]) => splits,
        }),
        values: (_u, splits) => splits.map((v) => (v == null ? "" : content.log ? decade(v) : short(v))),
      },
    ],
    series: [
      {},
      ...content.series.map(({ label, look, hidden = false }) => ({
        label,
        stroke: look.colour,
        width: 2,
        dash: look.dash,
        spanGaps: true,
        // whole pixels would make slow curves step
        pxAlign: 0,
        show: !hidden,
        points: { show: false },
      })),
    ],
    hooks: {
      draw: [(u) => drawMarkers(u, latest.current)],
      setCursor: [(u) => read(reading(u, latest.current))],
      setSelect: [
        (u) => {
          if (u.select.width > 0) zoomed.current = true;
        },
      ],
      ready: [
        (u) => {
          u.over.addEventListener("dblclick", () => {
            zoomed.current = false;
            u.setData(data(latest.current), true);
          });
        },
      ],
    },
  };
}

const short = (v: number): string => (v !== 0 && Math.abs(v) < 1e-3 ? power(v, 1) : value(v, 6));

function drawMarkers(u: uPlot, { series, log }: ChartContent): void {
  const { ctx } = u;
  const ratio = window.devicePixelRatio || 1;
  const { left, top, width, height } = u.bbox;
  ctx.save();
  ctx.beginPath();
  ctx.rect(left - 6, top - 6, width + 12, height + 12);
  ctx.clip();
  for (const { look, x, y, marks, hidden } of series) {
    if (hidden) continue;
    ctx.fillStyle = ctx.strokeStyle = look.colour;
    ctx.lineWidth = 1.5 * ratio;
    ctx.setLineDash([]);
    const at = (px: number, py: number): [number, number] => [
      u.valToPos(px, "x", true),
      u.valToPos(log ? onLog(py) : py, "y", true),
    ];
    if (marks) {
      for (const m of marks) {
        const [cx, cy] = at(m.x, m.y);
        ctx.beginPath();
        ctx.arc(cx, cy, 5 * ratio, 0, 2 * Math.PI);
        if (m.filled) ctx.fill();
        else ctx.stroke();
      }
      continue;
    }
    for (const i of markerIndices(x.length)) {
      if (!Number.isFinite(y[i]!)) continue;
      const [cx, cy] = at(x[i]!, y[i]!);
      const path = new Path2D(markerPath(look.marker, cx, cy, 3.6 * ratio));
      if (look.marker === "cross" || look.marker === "plus") ctx.stroke(path);
      else ctx.fill(path);
    }
  }
  ctx.restore();
}

function reading(u: uPlot, { series }: ChartContent): Reading | undefined {
  const { left = -1, top = -1 } = u.cursor;
  if (left < 0) return undefined;
  const x = u.posToVal(left, "x");
  const values: Reading["values"] = [];
  for (const { label, look, x: xs, y, hidden } of series) {
    if (hidden || xs.length === 0 || x < xs[0]!) continue;
    let i = xs.findIndex((v) => v > x);
    i = i < 0 ? xs.length - 1 : i - 1;
    values.push({ label, colour: look.colour, text: power(y[i]!, 3) });
  }
  if (values.length === 0) return undefined;
  const right = left > u.over.clientWidth / 2;
  return {
    left: u.over.offsetLeft + (right ? Math.max(0, left - 210) : left + 14),
    top: Math.max(0, Math.min(top, u.over.clientHeight - 30 - 18 * values.length)),
    x,
    values,
  };
}
