/** The result of PCA: variances, and the samples in the plane of the first two components */
import { useEffect, useRef, useState } from "preact/hooks";
import { ask } from "../client.js";
import { fixed, power } from "../format.js";
import { look } from "../palette.js";
import type { Components, Table } from "../protocol.js";
import { dark } from "../theme.js";

export function ComponentView({ A, x, p }: { A: Table; x: Float64Array; p: number }) {
  const [components, setComponents] = useState<Components>();
  useEffect(() => {
    let isCurrent = true;
    ask((remote) => remote.components(A, x, p), 20_000).then(
      (c) => isCurrent && setComponents(c),
      () => {},
    );
    return () => {
      isCurrent = false;
    };
  }, [A, x, p]);
  if (!components) return null;
  const { variances, total, scores, loadings } = components;
  return (
    <section class="card" aria-label="Components">
      <h3>
        {((100 * variances.reduce((a, b) => a + b, 0)) / total).toFixed(1)} % of the variance of {A.name}
      </h3>
      <div class="pair">
        <div>
          <div class="bars">
            {variances.slice(0, 12).map((v, i) => (
              <Bar key={i} name={`Component ${i + 1}`} share={v / total} of={variances[0]! / total} />
            ))}
          </div>
          {A.cols <= 30 && p <= 8 && <Loadings loadings={loadings} names={A.names} p={p} />}
        </div>
        {p >= 2 && <Scatter scores={scores} />}
      </div>
    </section>
  );
}

/** The components, one a column. */
function Loadings({ loadings, names, p }: { loadings: number[][]; names: string[] | undefined; p: number }) {
  return (
    <div class="scroll">
      <table class="loadings">
        <thead>
          <tr>
            <th scope="col">Column</th>
            {Array.from({ length: p }, (_, j) => (
              <th scope="col" key={j}>
                {j + 1}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {loadings.map((row, i) => (
            <tr key={i}>
              <th scope="row">{names?.[i] ?? i + 1}</th>
              {row.map((v, j) => (
                <td key={j}>{fixed(v, 4)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Bar({ name, share, of }: { name: string; share: number; of: number }) {
  return (
    <>
      <span>{name}</span>
      <i style={{ width: `${(100 * share) / of}%` }} />
      <span>{(100 * share).toFixed(2)} %</span>
    </>
  );
}

function Scatter({ scores }: { scores: number[][] }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const night = dark.value;
  const size = 280;
  useEffect(() => {
    const element = canvas.current!;
    const ratio = window.devicePixelRatio || 1;
    element.width = element.height = size * ratio;
    const ctx = element.getContext("2d")!;
    ctx.scale(ratio, ratio);
    const reach = Math.max(1e-300, ...scores.flatMap(([a = 0, b = 0]) => [Math.abs(a), Math.abs(b)]));
    const at = (v: number): number => size / 2 + (v / reach) * (size / 2 - 12);
    ctx.strokeStyle = night ? "#3b4551" : "#cdd4dc";
    ctx.beginPath();
    ctx.moveTo(0, size / 2);
    ctx.lineTo(size, size / 2);
    ctx.moveTo(size / 2, 0);
    ctx.lineTo(size / 2, size);
    ctx.stroke();
    ctx.fillStyle = getComputedStyle(element).color;
    ctx.font = "12px system-ui, sans-serif";
    ctx.textAlign = "right";
    ctx.fillText("component 1", size, size / 2 - 5);
    ctx.textAlign = "left";
    ctx.fillText("component 2", size / 2 + 5, 11);
    ctx.fillStyle = look(0, night).colour;
    ctx.globalAlpha = 0.65;
    for (const [a = 0, b = 0] of scores) {
      ctx.beginPath();
      ctx.arc(at(a), at(-b), 3, 0, 2 * Math.PI);
      ctx.fill();
    }
  }, [scores, night]);
  const widest = Math.max(...scores.map(([a = 0]) => Math.abs(a)));
  return (
    <canvas
      ref={canvas}
      class="scatter"
      style={{ width: `${size}px`, height: `${size}px`, maxWidth: "100%" }}
      role="img"
      aria-label={`${scores.length} samples in the plane of the first two components; the first reaches ${power(widest)} from the mean.`}
    />
  );
}
