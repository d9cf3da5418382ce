/** The view in which solvers race on a problem of the catalogue. */
import { useEffect } from "preact/hooks";
import { arrivals, change, query, setting } from "../address.js";
import { catalogue } from "../client.js";
import { EntrantList } from "../components/entrant-list.js";
import { NumberField, SelectField } from "../components/fields.js";
import { KeepBar } from "../components/keep-bar.js";
import { Leaderboard } from "../components/leaderboard.js";
import { chosenPlace, PlaceFields, placeSpec } from "../components/place-fields.js";
import { RaceCharts, raceCharts } from "../components/race-charts.js";
import { RunControls } from "../components/run-controls.js";
import { RunStatus } from "../components/run-status.js";
import { readEntrants } from "../entrants.js";
import { STIEFEL } from "../places.js";
import type { RaceSpec } from "../protocol.js";
import { begin, runState } from "../run-state.js";

const run = runState();
export const SOLVERS = "auto;expen-cg,beta:paper;rcg";

/** The settings that races of all kinds share */
export function commonSpec(): Pick<
  RaceSpec,
  "n" | "p" | "on" | "seed" | "entrants" | "tol" | "maxIterations" | "threads"
> {
  const tol = setting("tol", "");
  const most = setting("most", "");
  return {
    ...placeSpec("200", "8"),
    seed: Number(setting("seed", "1")),
    entrants: readEntrants(setting("solvers", SOLVERS)),
    threads: Number(setting("threads", "1")),
    ...(tol !== "" && { tol: Number(tol) }),
    ...(most !== "" && { maxIterations: Number(most) }),
  };
}

export function raceSpec(): RaceSpec {
  const options = Object.fromEntries(
    Object.entries(query.value)
      .filter(([name]) => name.startsWith("o."))
      .map(([name, v]) => [name.slice(2), v]),
  );
  return {
    ...commonSpec(),
    problem: { kind: "catalog", name: setting("problem", "noeig"), options },
    ridge: Number(setting("ridge", "0")),
  };
}

export function Race() {
  const known = catalogue.value;
  const problem = setting("problem", "noeig");
  const entry = known?.problems.find((q) => q.name === problem);
  const arrived = arrivals.value;
  useEffect(() => {
    if (known && query.value.run) begin(run, raceSpec());
  }, [known !== undefined, arrived]);

  return (
    <div class="layout">
      <form class="panel card" onSubmit={(event) => event.preventDefault()} aria-label="Settings of the race">
        <div class="field">
          <label for="problem">Problem</label>
          <select
            id="problem"
            value={problem}
            onChange={(event) => {
              const kept = Object.keys(query.value).filter((name) => name.startsWith("o."));
              change({
                ...Object.fromEntries(kept.map((name) => [name, undefined])),
                problem: event.currentTarget.value,
                run: undefined,
              });
            }}
          >
            {known?.problems.map((q) => (
              <option key={q.name} value={q.name}>
                {q.name}
              </option>
            ))}
          </select>
        </div>
        <p class="summary">{entry?.summary ?? " "}</p>
        {!entry?.sized && <PlaceFields n="200" p="8" />}
        {entry && entry.options.length > 0 && (
          <div class="grid2">
            {entry.options.map(({ name, type, help, choices, default: standard }) =>
              type === "number" || type === "integer" ? (
                <NumberField
                  key={name}
                  name={`o.${name}`}
                  label={name}
                  help={help}
                  absent={standard === undefined ? "" : String(standard)}
                  {...(type === "integer" && { step: "1" })}
                />
              ) : (
                <SelectField
                  key={name}
                  name={`o.${name}`}
                  label={name}
                  help={help}
                  absent={standard === undefined ? "" : String(standard)}
                  choices={[
                    ...(standard === undefined ? [{ value: "", label: "by size" }] : []),
                    ...(choices ?? ["true", "false"]).map((c) => ({ value: c, label: c })),
                  ]}
                />
              ),
            )}
          </div>
        )}
        <EntrantList absent={SOLVERS} on={entry?.sized ? STIEFEL : chosenPlace()} />
        <details>
          <summary>Limits and engine</summary>
          <div class="grid2">
            <NumberField name="tol" label="Tolerance" absent="" help="on the Riemannian gradient; empty: 1e-6" />
            <NumberField name="most" label="Most iterations" absent="" step="1" help="empty: 10000" />
            <NumberField
              name="ridge"
              label="c of c/2·‖X‖²"
              absent="0"
              help="added to f: constant on the manifold, but it changes the multiplier"
            />
            <NumberField name="threads" label="Threads" absent="1" min={1} max={known?.threads ?? 1} step="1" />
          </div>
          <p class="note">
            {known?.engine}.{" "}
            {known && known.threads === 1
              ? "More threads need a page that is served with cross-origin isolation."
              : `Up to ${known?.threads ?? 1} threads.`}{" "}
            The same link gives bitwise equal results on the same engine with as many threads.
          </p>
        </details>
        <RunControls run={run} spec={raceSpec} disabled={!known} />
      </form>
      <div class="stage">
        <RunStatus run={run} idle="Press Run: the solvers start from the same X and race to its minimum." />
        <RaceCharts run={run} />
        <Leaderboard run={run} />
        <KeepBar run={run} charts={() => raceCharts(run)} problem={problem} />
      </div>
    </div>
  );
}
