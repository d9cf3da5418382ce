/** The visitor's own objective or data. */
import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { arrivals, change, query, setting } from "../address.js";
import { ask, catalogue, LostWorker } from "../client.js";
import { CheckResult } from "../components/check-result.js";
import { CodeEditor } from "../components/code-editor.js";
import { ComponentView } from "../components/component-view.js";
import { DataPanel, restoreTables, tables } from "../components/data-panel.js";
import { EntrantList } from "../components/entrant-list.js";
import { NumberField, Segments } from "../components/fields.js";
import { KeepBar } from "../components/keep-bar.js";
import { Leaderboard } from "../components/leaderboard.js";
import { chosenPlace, PlaceFields, placeSpec } from "../components/place-fields.js";
import { RaceCharts, raceCharts } from "../components/race-charts.js";
import { RunControls } from "../components/run-controls.js";
import { RunStatus } from "../components/run-status.js";
import { SubjectFields, subjectSpec } from "../components/subject-fields.js";
import { examples } from "../editor/examples.js";
import { readEntrants } from "../entrants.js";
import { STIEFEL } from "../places.js";
import type { CodeCheck, ProblemSpec, RaceSpec } from "../protocol.js";
import { begin, runState } from "../run-state.js";

const run = runState();
const SOLVERS = "auto;expen-cg;expen-newton";
const FIRST = examples[0]!;
/** Whether the code came with a link. It is another person's program and does not run until the visitor presses Run. */
const foreign = signal(query.value.code !== undefined);

type Kind = "code" | "pca" | "procrustes";
const kind = (): Kind => {
  const found = setting("kind", "code");
  return found === "pca" || found === "procrustes" ? found : "code";
};
const code = (): string => setting("code", FIRST.code);

function sizes(): { n: number; p: number; on?: string } {
  const { A, B } = tables.value;
  if (kind() === "pca") return { n: A?.cols ?? 0, p: Number(setting("p", "2")) };
  if (kind() === "procrustes") return { n: A?.cols ?? 0, p: B?.cols ?? 0 };
  return placeSpec(String(FIRST.n), String(FIRST.p));
}

/** The data that a run still needs, in words; "" if it can begin */
function missingData(): string {
  const { A, B } = tables.value;
  if (kind() === "pca" && !A) return "Drop a table first.";
  if (kind() === "procrustes" && !(A && B)) return "Drop two tables with the same number of rows first.";
  return "";
}

function problem(): ProblemSpec {
  const { A, B } = tables.value;
  if (kind() === "pca") return { kind: "pca", A: A! };
  if (kind() === "procrustes") return { kind: "procrustes", A: A!, B: B! };
  return { kind: "code", code: code() };
}

function spec(): RaceSpec {
  foreign.value = false;
  const subjectTo = kind() === "code" ? subjectSpec() : undefined;
  return {
    problem: problem(),
    ...sizes(),
    seed: Number(setting("seed", "1")),
    ridge: 0,
    ...(subjectTo && { subjectTo }),
    entrants: readEntrants(setting("solvers", SOLVERS)),
    threads: 1,
  };
}

/** The live check: half a second after the last key. */
function useCheck(): { check?: CodeCheck; busy: boolean; lost: string } {
  const [state, setState] = useState<{ check?: CodeCheck; busy: boolean; lost: string }>({ busy: false, lost: "" });
  const { n, p, on } = sizes();
  const [text, seed, wanted] = [code(), Number(setting("seed", "1")), kind() === "code" && !foreign.value];
  const ready = catalogue.value !== undefined;
  useEffect(() => {
    if (!wanted || !ready) return;
    let current = true;
    const timer = setTimeout(() => {
      setState((s) => ({ ...s, busy: true }));
      ask((remote) => remote.check(text, { n, p, seed, ...(on && { on }) }), 6000).then(
        (check) => current && setState({ check, busy: false, lost: "" }),
        (error: Error) => {
          if (!current) return;
          const lost =
            error instanceof LostWorker
              ? `The code did not finish (${error.message}), so its worker was stopped and a new one started. Does it contain an endless loop?`
              : error.message;
          setState({ busy: false, lost });
        },
      );
    }, 400);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [text, n, p, on, seed, wanted, ready]);
  return state;
}

export default function Own() {
  const which = kind();
  const [line, setLine] = useState(0);
  const { check, busy, lost } = useCheck();
  const known = catalogue.value;
  const arrived = arrivals.value;
  useEffect(() => {
    if (arrived > 0) foreign.value = query.value.code !== undefined;
    if (!known || !query.value.run || kind() === "code") return;
    restoreTables().then(() => {
      if (!missingData()) begin(run, spec());
    });
  }, [known !== undefined, arrived]);

  const best = run.lanes.value.find((l) => l.result?.reason.converged && l.result.X);
  const ran = run.spec.value;
  return (
    <div class="layout">
      <form class="panel card" onSubmit={(event) => event.preventDefault()} aria-label="Settings of your own problem">
        <Segments
          name="kind"
          label="Kind"
          absent="code"
          choices={[
            { value: "code", label: "Objective" },
            { value: "pca", label: "PCA" },
            { value: "procrustes", label: "Procrustes" },
          ]}
        />
        {which === "code" ? (
          <CodeSettings />
        ) : (
          <>
            <DataPanel slots={which === "pca" ? ["A"] : ["A", "B"]} />
            {which === "pca" && (
              <div class="grid2">
                <NumberField name="p" label="Components p" absent="2" min={1} step="1" />
                <NumberField name="seed" label="Seed" absent="1" step="1" />
              </div>
            )}
            <p class="summary">
              {which === "pca"
                ? "Finds the p directions of largest variance of A; its columns are centred."
                : "Finds the X with orthonormal columns that makes A·X nearest to B: min ½‖AX − B‖². A and B need the same number of rows."}
            </p>
          </>
        )}
        <EntrantList absent={SOLVERS} on={which === "code" ? chosenPlace() : STIEFEL} />
        <RunControls run={run} spec={spec} disabled={!known || missingData() !== "" || check?.error != null} />
      </form>
      <div class="stage">
        {which === "code" && (
          <section class="card" aria-label="Objective">
            <CodeEditor
              text={code()}
              names={known?.operations ?? []}
              message={check?.error ?? null}
              located={setLine}
              changed={(text) => {
                foreign.value = false;
                change({ code: text === FIRST.code ? undefined : text, run: undefined });
              }}
            />
            <CheckResult foreign={foreign.value} {...(check && { check })} busy={busy} lost={lost} line={line} />
          </section>
        )}
        <RunStatus
          run={run}
          idle={missingData() || (check?.error ? "Correct the objective, then press Run." : "Press Run.")}
        />
        {ran?.problem.kind === "pca" && best && <ComponentView A={ran.problem.A} x={best.result!.X!} p={ran.p} />}
        {run.phase.value !== "idle" && <RaceCharts run={run} />}
        <Leaderboard run={run} />
        <KeepBar run={run} charts={() => raceCharts(run)} problem={which} />
      </div>
    </div>
  );
}

function CodeSettings() {
  return (
    <>
      <div class="field">
        <label for="example">Start from</label>
        <select
          id="example"
          value=""
          onChange={(event) => {
            const example = examples.find((e) => e.name === event.currentTarget.value);
            if (!example) return;
            foreign.value = false;
            change({ code: example.code, n: String(example.n), p: String(example.p), run: undefined });
          }}
        >
          <option value="">an example …</option>
          {examples.map((e) => (
            <option key={e.name} value={e.name}>
              {e.title}
            </option>
          ))}
        </select>
      </div>
      <PlaceFields n={String(FIRST.n)} p={String(FIRST.p)} several />
      <SubjectFields />
      <details>
        <summary>The language</summary>
        <p class="note">
          Write the body of a function of X (n×p) that returns a number; its derivatives are computed automatically.
          Seeded data: gaussian(rows, cols), symmetric(n), orthonormal(n, p), tridiagonal(−1, 2, −1). Operations:{" "}
          {catalogue.value?.operations.slice(1, -7).join(", ")}.
        </p>
      </details>
    </>
  );
}
