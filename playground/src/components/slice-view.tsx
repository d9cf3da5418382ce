/** h along one singular value of the minimiser, for several β, with its stationary points. */
import { useEffect, useState } from "preact/hooks";
import { Chart } from "../chart/chart.js";
import type { ChartContent } from "../chart/series.js";
import { ask, catalogue } from "../client.js";
import { fixed, power, sentence } from "../format.js";
import { look } from "../palette.js";
import type { Slice, SliceCurve, SliceSpec } from "../protocol.js";
import { dark } from "../theme.js";
import { Swatch } from "./swatch.js";

const NAMES: Record<SliceCurve["kind"], string> = { expen: "h", shifted: "h, shifted", plain: "plain penalty" };

/** The slice for a specification, computed in the worker when the specification changes. */
export function useSlice(spec: SliceSpec): { slice?: Slice; error: string } {
  const [state, setState] = useState<{ slice?: Slice; error: string }>({ error: "" });
  const key = JSON.stringify(spec);
  const ready = catalogue.value !== undefined;
  useEffect(() => {
    let isCurrent = true;
    if (ready) {
      ask((remote) => remote.cut(JSON.parse(key) as SliceSpec), 20_000).then(
        (slice) => isCurrent && setState({ slice, error: "" }),
        (error: Error) => isCurrent && setState({ error: error.message }),
      );
    }
    return () => {
      isCurrent = false;
    };
  }, [key, ready]);
  return state;
}

export function SliceView({
  spec,
  kinds,
  height = 320,
}: {
  spec: SliceSpec;
  kinds: SliceCurve["kind"][];
  height?: number;
}) {
  const { slice, error } = useSlice(spec);
  if (error) {
    return (
      <p class="error" role="alert">
        {error}
      </p>
    );
  }
  if (!slice) return <p class="status">Computing the slice …</p>;
  // one kind after the other: the colour of a β stays what it is beside the runs
  const curves = kinds.flatMap((kind) => slice.curves.filter((c) => c.kind === kind));
  const content: ChartContent = {
    title: "h − f* along one singular value σ of X",
    xLabel: "σ",
    yLabel: "h − f*",
    log: false,
    yLimits: window(slice, curves),
    series: curves.map((c, i) => ({
      label: `${NAMES[c.kind]}, β = ${c.beta}`,
      look: look(i, dark.value),
      x: slice.sigmas,
      y: c.values.map((v) => v - slice.fval),
      marks: c.stationary.map((s) => ({ x: s.sigma, y: s.value - slice.fval, filled: s.minimum })),
    })),
  };
  return (
    <>
      <Chart content={content} height={height} />
      <ul class="verdicts">
        {curves.map((c, i) => (
          <li key={`${c.kind}${c.beta}`}>
            <Swatch look={{ ...look(i, dark.value), marker: "circle" }} />
            <div>
              <b>
                {NAMES[c.kind]}, β = {c.beta}:
              </b>{" "}
              {sentence(words(c, slice.lambda))}
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}

/** The region where things happen: all stationary points and the values near σ = 1. */
function window(slice: Slice, curves: SliceCurve[]): [number, number] {
  const near = curves.flatMap((c) => [
    ...c.stationary.map((s) => s.value - slice.fval),
    ...c.values.filter((_, i) => slice.sigmas[i]! > 0.35 && slice.sigmas[i]! < 1.35).map((v) => v - slice.fval),
  ]);
  const [low, high] = [Math.min(...near, 0), Math.max(...near, 0)];
  const air = 0.12 * (high - low || 1);
  return [low - air, high + air];
}

const atOne = (sigma: number): boolean => Math.abs(sigma - 1) < 1e-5;

function words({ kind, beta, stationary }: SliceCurve, lambda: number): string {
  const minima = stationary.filter((s) => s.minimum);
  const others = stationary.filter((s) => !atOne(s.sigma) && Math.abs(s.sigma) > 1e-6);
  const list = minima.map((s) => `σ = ${fixed(s.sigma, 3)}`).join(" and ") || "none in sight";
  const exact = minima.some((s) => atOne(s.sigma));
  if (kind === "plain") {
    return `its minimum lies at ${list}: off the manifold for every finite β.`;
  }
  if (kind === "shifted") {
    return exact
      ? "the minimum is at σ = 1, whatever β > 0: the shift has made the multiplier zero."
      : `minima at ${list}.`;
  }
  const need = 1.5 * lambda;
  const spurious = others.filter((s) => s.full).map((s) => `σ = ${fixed(s.sigma, 3)}`);
  const also = spurious.length > 0 ? ` Spurious stationary points of h at ${spurious.join(", ")}.` : "";
  return exact
    ? `a minimum at σ = 1: β is above 1.5·λmax(S) = ${power(need, 3)}.${also}`
    : `σ = 1 is no minimum, because β = ${beta} is below 1.5·λmax(S) = ${power(need, 3)}; minima of the cut at ${list}.${also}`;
}
