/** The worker: all numbers are made here. */

import * as Comlink from "comlink";
import { checkDerivatives, type Engine, type SolverName } from "expen";
import { jsEngine, wasmEngine } from "expen/engines";
import { solvers } from "expen/methods";
import { problems } from "expen/problems";
import { places, STIEFEL } from "../places.js";
import type {
  Catalogue,
  CodeCheck,
  Command,
  Components,
  Course,
  Progress,
  RaceSpec,
  Slice,
  SliceSpec,
  Table,
} from "../protocol.js";
import { components } from "./components.js";
import { checkSize, openCourse, requireRoom } from "./course.js";
import { optionFields } from "./entrant-options.js";
import { loadMolecule, MOLECULE, moleculeEntry } from "./molecules.js";
import { refusalsOn } from "./place.js";
import { type Race, race } from "./race.js";
import { newcomers, rehearse } from "./rehearsal.js";
import { cut } from "./slice.js";
import { readTable } from "./tables.js";
import { type CodeContext, CodeError, compileCode, operationNames } from "./visitor-code.js";

/** The wasm engine, or where the browser cannot run it the js engine and why. */
async function open(threads: number): Promise<{ E: Engine; warning: string | null }> {
  try {
    return { E: await wasmEngine({ threads }), warning: null };
  } catch (error) {
    const warning = `${(error as Error).message} This page goes on with the js engine, which is several times slower.`;
    return { E: jsEngine(), warning };
  }
}

let current: { race: Race; E: Engine } | undefined;

async function within<T>(work: (E: Engine) => T | Promise<T>): Promise<T> {
  const { E } = await open(1);
  try {
    return await work(E);
  } finally {
    E.dispose();
  }
}

const laboratory = {
  ping: (): true => true,

  async catalogue(): Promise<Catalogue> {
    const { E, warning } = await open(1);
    const { name, description } = E;
    E.dispose();
    return {
      solvers: (Object.keys(solvers) as SolverName[]).map((name) => ({
        name,
        title: solvers[name].title,
        options: optionFields(name),
      })),
      problems: [
        ...[...problems.values()].map(({ name, summary, options }) => ({
          name,
          summary,
          options: options.filter(({ type }) => !["matrix", "operator", "matrices"].includes(type)),
        })),
        moleculeEntry,
      ],
      refusals: Object.fromEntries(places.map(({ name }) => [name, refusalsOn(name)])),
      operations: operationNames(),
      engine: `${name}: ${description}`,
      warning,
      threads: globalThis.crossOriginIsolated && !warning ? Math.min(8, navigator.hardwareConcurrency) : 1,
    };
  },

  /** Sets the race up and lets it begin; news come through `report` until `finished`. */
  async start(
    asked: RaceSpec,
    first: Command,
    report: (news: Progress[]) => void,
    finished: () => void,
  ): Promise<Course> {
    if (current) {
      current.race.command("stop");
      await current.race.finished;
      current.E.dispose();
      current = undefined;
    }
    const { problem } = asked;
    const molecule =
      problem.kind === "catalog" && problem.name === MOLECULE ? await loadMolecule(problem.options) : undefined;
    const spec: RaceSpec = molecule ? { ...asked, n: molecule.size, p: molecule.occupied, on: STIEFEL } : asked;
    checkSize(spec.n, spec.p, spec.on);
    const fresh = newcomers(spec.entrants);
    if (fresh.length > 0) await within((E) => rehearse(E, fresh));
    const { E, warning } = await open(spec.threads);
    try {
      requireRoom(E, spec);
      const course = openCourse(E, spec, molecule);
      const running = await race(E, course, spec, report);
      if (first !== "run") running.command(first);
      current = { race: running, E };
      running.finished.then(finished);
      const { title, optimum = null, reference = null, valueLabel = null, manifold } = course;
      const { n, p } = spec;
      return {
        title,
        n,
        p,
        on: manifold.text,
        optimum,
        reference,
        valueLabel,
        engine: `${E.name}: ${E.description}`,
        notes: warning ? [warning] : [],
      };
    } catch (error) {
      E.dispose();
      throw plainError(error);
    }
  },

  command(what: Command): void {
    current?.race.command(what);
  },

  /** Compiles the visitor's code and compares its derivatives with differences. */
  check(code: string, context: CodeContext): Promise<CodeCheck> {
    return within((E) => {
      try {
        requireRoom(E, { ...context, entrants: [{ solver: "auto", options: {} }] });
        const { bound, objective } = compileCode(E, code, context);
        const { passed, text } = checkDerivatives(bound.E, objective, { seed: context.seed, on: bound.on });
        return { error: null, passed, text };
      } catch (error) {
        const place =
          error instanceof CodeError ? error.place : { text: plainError(error).message, line: 0, column: 0 };
        return { error: place, passed: false, text: "" };
      }
    });
  },

  cut(spec: SliceSpec): Promise<Slice> {
    return within((E) => cut(E, spec));
  },

  components(A: Table, x: Float64Array, p: number): Promise<Components> {
    return within((E) => components(E, A, x, p));
  },

  table: readTable,
};

/** Memory that a browser refuses comes as a RangeError of few words. */
function plainError(error: unknown): Error {
  const { name, message } = error as Error;
  if (name === "RangeError" && /allocation|invalid.*length/i.test(message)) {
    return new RangeError(`There is no memory for these sizes in this browser (${message}); choose a smaller n or p.`);
  }
  return new Error(message);
}

export type Laboratory = typeof laboratory;
Comlink.expose(laboratory);
