/** The table of the runs, and below it the verdict on each answer. */
import { change, setting } from "../address.js";
import { count, multiplierText, power, seconds, sentence, value } from "../format.js";
import { look } from "../palette.js";
import type { Point, RunResult } from "../protocol.js";
import type { Lane, RunState } from "../run-state.js";
import { dark } from "../theme.js";
import { Swatch } from "./swatch.js";

export const hiddenLanes = (): Set<number> =>
  new Set(
    setting("hide", "")
      .split(".")
      .filter((s) => s !== "")
      .map(Number),
  );

function toggle(i: number): void {
  const hidden = hiddenLanes();
  if (!hidden.delete(i)) hidden.add(i);
  change({ hide: hidden.size > 0 ? [...hidden].sort((a, b) => a - b).join(".") : undefined });
}

/** Converged runs in the order of time, then the others in the order of stationarity */
function ranking(lanes: Lane[]): number[] {
  const key = ({ result, points }: Lane): [number, number] =>
    result?.reason.converged
      ? [0, result.seconds]
      : [result ? 2 : 1, points.at(-1)?.stationarity ?? Number.POSITIVE_INFINITY];
  return lanes
    .map((lane, i) => ({ i, key: key(lane) }))
    .sort((a, b) => a.key[0] - b.key[0] || a.key[1] - b.key[1] || a.i - b.i)
    .map(({ i }) => i);
}

export function Leaderboard({ run }: { run: RunState }) {
  const lanes = run.lanes.value;
  const hidden = hiddenLanes();
  const optimum = reference(run);
  if (lanes.length === 0) return null;
  const columns = columnsBeside(optimum);
  const order = run.phase.value === "done" ? ranking(lanes) : lanes.map((_, i) => i);
  return (
    <section class="card" aria-label="Leaderboard">
      <div class="scroll">
        <table class="leaderboard">
          <thead>
            <tr>
              <th scope="col">Solver</th>
              <th scope="col">State</th>
              {columns.map(({ name }) => (
                <th scope="col" key={name}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {order.map((i) => (
              <Row key={i} lane={lanes[i]!} index={i} hidden={hidden.has(i)} columns={columns} />
            ))}
          </tbody>
        </table>
      </div>
      {lanes.some((l) => l.result || l.error) && (
        <ul class="verdicts" aria-live="polite">
          {order.map((i) => (
            <Verdict key={i} lane={lanes[i]!} index={i} />
          ))}
        </ul>
      )}
    </section>
  );
}

/** The curves by name; each button hides or shows one. */
export function Legend({ run }: { run: RunState }) {
  const hidden = hiddenLanes();
  return (
    <fieldset class="legend">
      <legend class="sr-only">Curves</legend>
      {run.lanes.value.map(({ label }, i) => (
        <LaneButton key={`${i} ${label}`} label={label} index={i} hidden={hidden.has(i)} />
      ))}
    </fieldset>
  );
}

function LaneButton({ label, index, hidden }: { label: string; index: number; hidden: boolean }) {
  return (
    <button
      type="button"
      class="quiet lane"
      aria-pressed={!hidden}
      title={hidden ? "Show the curve" : "Hide the curve"}
      onClick={() => toggle(index)}
    >
      <Swatch look={look(index, dark.value)} />
      <span>{label}</span>
    </button>
  );
}

interface Column {
  name: string;
  cell: string;
  text(point: Point): string;
}

/** The columns of the table: numbers of the last point of a run */
const columnsBeside = (optimum: Reference): Column[] => [
  { name: "f", cell: "f", text: (q) => value(q.fval) },
  { name: `f − ${optimum.name}`, cell: "gap", text: (q) => power(q.fval - optimum.value) },
  { name: "Stationarity", cell: "stationarity", text: (q) => power(q.stationarity) },
  { name: "Feasibility", cell: "feasibility", text: (q) => power(q.feasibility) },
  { name: "Iter.", cell: "iterations", text: (q) => count(q.k) },
  { name: "Evals", cell: "evaluations", text: (q) => count(q.evaluations) },
  { name: "Time", cell: "seconds", text: (q) => seconds(q.seconds) },
];

interface RowProps {
  lane: Lane;
  index: number;
  hidden: boolean;
  columns: Column[];
}

function Row({ lane, index, hidden, columns }: RowProps) {
  const last = lane.points.at(-1);
  const { result, error } = lane;
  return (
    <tr data-lane={index} data-status={result?.status ?? (error ? "failed" : "running")}>
      <th scope="row">
        <LaneButton label={lane.label} index={index} hidden={hidden} />
      </th>
      <td data-cell="state">
        {error
          ? "failed"
          : result
            ? result.reason.converged
              ? "converged"
              : result.status
            : last
              ? "running"
              : "waiting"}
      </td>
      {columns.map(({ name, cell, text }) => (
        <td key={cell} data-cell={cell} data-label={name}>
          {last ? text(last) : "–"}
        </td>
      ))}
    </tr>
  );
}

/** The failure in a few words; the library's sentence follows it. */
function headline({ reason }: RunResult): string {
  if (reason.kind === "spurious") return "Infeasible: β is too small";
  if (reason.kind === "unbounded") return "Diverged from the manifold";
  if (reason.kind === "aborted") return "Stopped";
  return "Not converged";
}

function Verdict({ lane, index }: { lane: Lane; index: number }) {
  const { result, error } = lane;
  if (!result && !error) return null;
  const good = result?.reason.converged ?? false;
  return (
    <li class={good ? "good" : "bad"} data-lane={index}>
      <Swatch look={look(index, dark.value)} />
      <div>
        <b>
          {good ? "✓" : "!"} {lane.label}
        </b>
        : {!good && <b>{result ? headline(result) : "Failed"}. </b>}
        {sentence(error?.replace(/\.$/, "") ?? (good ? result!.certificate.text : result!.reason.text))}.
        {result?.multipliers && <span class="note"> {multiplierText(result)}</span>}
        {result?.notes.map((note) => (
          <span key={note} class="note">
            {" "}
            {sentence(note)}.
          </span>
        ))}
      </div>
    </li>
  );
}

export interface Reference {
  value: number;
  name: "f*" | "reference" | "best";
}

/** The value that gaps refer to: f* if it is known, else a published value, else the lowest value of the runs */
export function reference(run: RunState): Reference {
  const { optimum = null, reference = null } = run.course.value ?? {};
  if (optimum !== null) return { value: optimum, name: "f*" };
  if (reference !== null) return { value: reference, name: "reference" };
  let best = Number.POSITIVE_INFINITY;
  for (const { points } of run.lanes.value) for (const { fval } of points) if (fval < best) best = fval;
  return { value: best, name: "best" };
}
