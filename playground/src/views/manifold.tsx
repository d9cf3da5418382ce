/** n = 3: the iterates in space, their singular values, and a slice of the penalty. */
import { useEffect, useMemo, useState } from "preact/hooks";
import { change, setting } from "../address.js";
import { Chart } from "../chart/chart.js";
import type { ChartContent } from "../chart/series.js";
import { catalogue } from "../client.js";
import { NumberField, Segments, SelectField, SliderField, TextField } from "../components/fields.js";
import { hiddenLanes, Leaderboard, Legend } from "../components/leaderboard.js";
import { RunStatus } from "../components/run-status.js";
import { SliceView } from "../components/slice-view.js";
import { Sphere, type Trail } from "../components/sphere.js";
import { look } from "../palette.js";
import type { Entrant, ProblemSpec, RaceSpec } from "../protocol.js";
import { begin, type Lane, runState } from "../run-state.js";
import { dark } from "../theme.js";

const run = runState();
export const BETAS = "0.6 2.5 10";
const FEASIBLE = "rcg";

/** The positive numbers of a text, at most five */
export const readBetas = (text: string): number[] =>
  text
    .split(/[\s;]+/)
    .map(Number)
    .filter((b) => b > 0 && Number.isFinite(b))
    .slice(0, 5);

/** The solver that ExPen is compared with: the chosen one, or Riemannian conjugate gradients. */
function companion(): string {
  const names = catalogue.value?.solvers.map((s) => s.name) ?? [];
  return setting("beside", names.includes(FEASIBLE) ? FEASIBLE : "auto");
}

const problem = (): ProblemSpec => ({ kind: "catalog", name: setting("problem", "quadratic"), options: {} });
const common = () => ({
  problem: problem(),
  n: 3,
  p: Number(setting("p", "1")),
  seed: Number(setting("seed", "8")),
  ridge: Number(setting("ridge", "2")),
});

export function manifoldSpec(): RaceSpec {
  const entrants: Entrant[] = readBetas(setting("betas", BETAS)).map((b) => ({
    solver: "expen-cg",
    options: { beta: String(b) },
  }));
  const beside = companion();
  if (beside !== "none") entrants.push({ solver: beside, options: {} });
  return { ...common(), entrants, threads: 1, path: true, maxIterations: 500 };
}

/** A trail for every column of X. */
export function trailsOf(lanes: Lane[], p: number, hidden = new Set<number>()): Trail[] {
  return lanes.flatMap(({ label, path }, i) =>
    Array.from({ length: hidden.has(i) ? 0 : p }, (_, j) => {
      const points: number[] = [];
      for (let at = j; at + 2 * p < path.length; at += 3 * p) points.push(path[at]!, path[at + p]!, path[at + 2 * p]!);
      return { label: p > 1 ? `${label}, column ${j + 1}` : label, look: look(i, dark.value), points };
    }),
  );
}

export function singularContent(lanes: Lane[], p: number, hidden = new Set<number>()): ChartContent {
  return {
    title: "Singular values of X",
    xLabel: "iterations",
    yLabel: "σ",
    log: false,
    series: lanes.flatMap(({ label, singular }, i) =>
      Array.from({ length: p }, (_, j) => {
        const y = singular.filter((_v, k) => k % p === j);
        return {
          label: p > 1 ? `${label}, σ${"₁₂"[j]}` : label,
          look: look(i, dark.value),
          x: y.map((_v, k) => k),
          y,
          hidden: hidden.has(i),
        };
      }),
    ),
  };
}

export default function Manifold() {
  const spec = manifoldSpec();
  const key = JSON.stringify(spec);
  const ready = catalogue.value !== undefined;
  const [playing, setPlaying] = useState(false);
  useEffect(() => {
    if (ready) begin(run, JSON.parse(key) as RaceSpec);
  }, [key, ready]);

  const lanes = run.lanes.value;
  const { p } = spec;
  const longest = Math.max(1, ...lanes.map((l) => l.path.length / (3 * p)));
  const shown = Math.min(longest, Number(setting("shown", "1000")) || longest);
  useEffect(() => {
    if (!playing) return;
    const timer = setInterval(() => {
      const now = Number(setting("shown", "1000"));
      if (now >= longest) {
        setPlaying(false);
        change({ shown: undefined });
      } else change({ shown: String(now + 1) });
    }, 180);
    return () => clearInterval(timer);
  }, [playing, longest]);

  const hide = setting("hide", "");
  const trails = useMemo(() => trailsOf(lanes, p, hiddenLanes()), [lanes, p, hide, dark.value]);
  const singular = useMemo(() => singularContent(lanes, p, hiddenLanes()), [lanes, p, hide, dark.value]);
  const kinds = setting("shift", "no") === "yes" ? (["expen", "shifted"] as const) : (["expen"] as const);
  const names = catalogue.value?.solvers.map((s) => s.name) ?? [];
  return (
    <div class="layout">
      <form class="panel card" onSubmit={(event) => event.preventDefault()} aria-label="Settings of the picture">
        <Segments
          name="p"
          label="Manifold"
          absent="1"
          choices={[
            { value: "1", label: "Sphere (3×1)" },
            { value: "2", label: "Pairs (3×2)" },
          ]}
        />
        <SelectField
          name="problem"
          label="Problem"
          absent="quadratic"
          choices={(catalogue.value?.problems.filter((q) => !q.sized) ?? [{ name: "quadratic" }]).map((q) => ({
            value: q.name,
            label: q.name,
          }))}
        />
        <div class="grid2">
          <NumberField name="seed" label="Seed" absent="8" step="1" />
          <NumberField
            name="ridge"
            label="c of c/2·‖X‖²"
            absent="2"
            help="added to f: nothing changes on the manifold"
          />
        </div>
        <TextField name="betas" label="β of ExPen-CG, one or several" absent={BETAS} />
        <SelectField
          name="beside"
          label="Compare with"
          absent={names.includes(FEASIBLE) ? FEASIBLE : "auto"}
          choices={[{ value: "none", label: "nothing" }, ...names.map((s) => ({ value: s, label: s }))]}
        />
        <SliderField
          name="far"
          label="Distances from the sphere"
          absent="1"
          values={["1", "2", "3", "5", "10", "30"]}
          text={(v) => `× ${v}`}
        />
        <div class="controls">
          <button
            type="button"
            class="primary"
            onClick={() => {
              change({ shown: "1" });
              setPlaying(true);
            }}
          >
            Play
          </button>
          <button type="button" onClick={() => change({ shown: String(Math.min(longest, shown + 1)) })}>
            Step
          </button>
          <button
            type="button"
            onClick={() => {
              setPlaying(false);
              change({ shown: undefined });
            }}
          >
            All
          </button>
        </div>
        <p class="note" role="status">
          {shown < longest
            ? `Iterate ${shown - 1} of at most ${longest - 1}.`
            : `All iterates, at most ${longest - 1} a run.`}
        </p>
      </form>
      <div class="stage">
        <RunStatus run={run} />
        <Legend run={run} />
        <div class="pair">
          <section class="card" aria-label="Paths">
            <Sphere
              trails={trails}
              shown={shown}
              exaggeration={Number(setting("far", "1"))}
              label={`Paths of ${lanes.map((l) => l.label).join(", ")} on and beside the unit sphere.`}
            />
            <p class="note">
              A hollow mark is the start, a large one the end.{" "}
              {p === 2 && "Each run has two trails, one for each column. "}Points inside or outside the ball are off the
              manifold. Drag to turn.
            </p>
          </section>
          <section class="card" aria-label="Singular values">
            <Chart content={singular} height={420} />
            <p class="note">If all singular values are 1, X has orthonormal columns.</p>
          </section>
        </div>
        <Leaderboard run={run} />
        <section class="card" aria-label="A slice of the penalty">
          <Segments
            name="shift"
            label="Multiplier shift"
            absent="no"
            choices={[
              { value: "no", label: "Without" },
              { value: "yes", label: "Beside it" },
            ]}
          />
          <SliceView spec={{ ...common(), betas: readBetas(setting("betas", BETAS)) }} kinds={[...kinds]} />
        </section>
      </div>
    </div>
  );
}
