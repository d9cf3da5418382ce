/** The first lesson: why the penalty of Xiao and Liu is exact. */
import { useMemo } from "preact/hooks";
import { setting } from "../address.js";
import { Chart } from "../chart/chart.js";
import type { ChartContent } from "../chart/series.js";
import { SliderField } from "../components/fields.js";
import { SliceView } from "../components/slice-view.js";
import { look } from "../palette.js";
import type { SliceSpec } from "../protocol.js";
import { dark } from "../theme.js";

export const BETAS = ["0.1", "0.2", "0.5", "1", "1.5", "2", "3", "5", "10", "30", "100"];

/** The example of all three pages: a quadratic on the sphere of ℝ³ whose multiplier is positive. */
export const example = {
  problem: { kind: "catalog", name: "quadratic", options: {} },
  n: 3,
  p: 1,
  seed: 8,
  ridge: 2,
} as const;

/** σ ↦ σ(3 − σ²)/2, the effect of A on a singular value */
function flattening(): ChartContent {
  const x = Array.from({ length: 121 }, (_, i) => (1.8 * i) / 120);
  const curve = (label: string, i: number, y: (s: number) => number) => ({
    label,
    look: look(i, dark.value),
    x,
    y: x.map(y),
  });
  return {
    title: "Effect of A(X) = X(3/2·I − 1/2·XᵀX) on a singular value σ",
    xLabel: "σ of X",
    yLabel: "σ of A(X)",
    log: false,
    series: [curve("A: σ(3 − σ²)/2", 0, (s) => (s * (3 - s * s)) / 2), curve("no change: σ", 1, (s) => s)],
  };
}

export function Exact() {
  const spec: SliceSpec = { ...example, betas: [Number(setting("beta", "5"))], plain: true };
  const flat = useMemo(flattening, [dark.value]);
  return (
    <>
      <section class="card">
        <h3>Why a penalty can be exact</h3>
        <p>
          The task is to minimise f(X) over the X with orthonormal columns, XᵀX&nbsp;=&nbsp;I. The textbook replaces the
          constraint by a penalty:
        </p>
        <p class="display">f(X) + β/4·‖XᵀX − I‖²</p>
        <p>
          Its minimiser is never quite feasible: at XᵀX&nbsp;=&nbsp;I the penalty has no slope, f has one, and so the
          minimum slides off the manifold until both balance. Only β → ∞ brings it back, and then the problem is badly
          conditioned.
        </p>
        <p>Xiao and Liu change f as well, so that it has no slope across the manifold either:</p>
        <p class="display">
          h(X) = f(A(X)) + β/4·‖XᵀX − I‖²,
          <br />
          A(X) = X(3/2·I − 1/2·XᵀX)
        </p>
        <p>
          A leaves points of the manifold where they are and is flat across it: a singular value 1&nbsp;+&nbsp;ε becomes
          1&nbsp;−&nbsp;3/2·ε², not 1&nbsp;+&nbsp;ε.
        </p>
        <Chart content={flat} height={240} legend />
      </section>
      <section class="card">
        <p>
          Cut both functions along the length σ of x, on the sphere in three dimensions. The minimum of h stands at
          σ&nbsp;=&nbsp;1 exactly, for a finite β. Move β and watch the other one slide.
        </p>
        <SliderField name="beta" label="β" absent="5" values={BETAS} />
        <SliceView spec={spec} kinds={["expen", "plain"]} />
      </section>
    </>
  );
}
