/** From a specification to an objective on an engine. */
import type { Engine, Manifold, Objective, SolverName, Tall } from "expen";
import type { Molecule } from "expen/data";
import { requireMemory } from "expen/engines";
import { objectiveOn, type StiefelOptions, solverParts, solvers } from "expen/methods";
import { problems } from "expen/problems";
import type { Nonsmooth, QuadraticForm } from "expen/types";
import { placeOf, STIEFEL } from "../places.js";
import type { ProblemSpec, RaceSpec } from "../protocol.js";
import { moleculeCourse } from "./molecules.js";
import { manifoldOf, sameOptimum } from "./place.js";
import { type CodeContext, compileCode } from "./visitor-code.js";

export interface OpenedCourse {
  title: string;
  /** of points of `bound` */
  objective: Objective;
  optimum: number | undefined;
  /** a term that only solvers with proximal maps know */
  nonsmooth: Nonsmooth | undefined;
  /** the manifold of X */
  manifold: Manifold;
  bound: ReturnType<Manifold["bind"]>;
  /** a published value, not proved to be the lowest */
  reference?: number;
  /** the problem's own options, if it has any */
  options?: Pick<StiefelOptions, "start" | "tol" | "certificateBudget">;
  /** the name of f, for a chart of its values */
  valueLabel?: string;
}

/** largest n·p and n: a tab has memory for a few dozen such matrices */
const MOST_NUMBERS = 2 ** 24;
const MOST_ROWS = 2 ** 18;
/** largest n for which f* is computed: an eigenproblem of this size takes about a second in a page */
const LARGEST_CLOSED_FORM = 600;

export function checkSize(n: number, p: number, on = STIEFEL): void {
  for (const [what, value] of [
    ["n", n],
    ["p", p],
  ] as const) {
    if (!Number.isInteger(value) || value < 1) {
      throw new RangeError(`${what} is ${value}; it must be a whole number, 1 or more.`);
    }
  }
  if (p > n && on !== "oblique" && on !== "euclidean")
    throw new RangeError(`p = ${p} is above n = ${n}; ${p} orthonormal columns need n ≥ p.`);
  if (n > MOST_ROWS || n * p > MOST_NUMBERS) {
    throw new RangeError(
      `n × p = ${n}×${p} is more than a page can hold (n up to ${MOST_ROWS}, n·p up to ${MOST_NUMBERS}); choose smaller sizes, or use the command line.`,
    );
  }
}

/** Requires memory for all entrants, which run side by side. The problem's own memory is checked when it is made. */
export function requireRoom(E: Engine, { n, p, on, entrants }: Pick<RaceSpec, "n" | "p" | "on" | "entrants">): void {
  checkSize(n, p, on);
  const knownEntrants = entrants.filter(({ solver }) => Object.hasOwn(solvers, solver));
  const parts = knownEntrants.flatMap(({ solver }) => solverParts(n, p, { solver: solver as SolverName }));
  requireMemory(n, p, parts, E);
}

export function openCourse(
  E: Engine,
  { problem, n, p, seed, ridge, on = STIEFEL }: Pick<RaceSpec, "problem" | "n" | "p" | "seed" | "ridge" | "on">,
  molecule?: Molecule,
): OpenedCourse {
  checkSize(n, p, on);
  const manifold = manifoldOf(on, n, p);
  const made: Made =
    molecule && problem.kind === "catalog"
      ? moleculeCourse(E, molecule, problem.options)
      : open(E, problem, { n, p, seed, on });
  const bound = made.bound ?? manifold.bind(E);
  const objective = made.bound ? made.objective : objectiveOn(bound, made.objective);
  const opened = { ...made, manifold, bound, objective, optimum: sameOptimum(on) ? made.optimum : undefined };
  if (ridge === 0) return opened;
  const optimum = opened.optimum === undefined ? undefined : opened.optimum + (ridge * p) / 2;
  return {
    ...opened,
    title: `${opened.title} + ${ridge === 2 ? "" : `${ridge / 2}·`}‖X‖²`,
    objective: withRidge(bound.E, opened.objective, ridge),
    optimum,
  };
}

/** `bound`: the domain, if the objective is already a function of its points */
type Made = Omit<OpenedCourse, "manifold" | "bound"> & Partial<Pick<OpenedCourse, "bound">>;

function open(E: Engine, problem: ProblemSpec, context: CodeContext & { on: string }): Made {
  const { n, p, seed, on } = context;
  if (problem.kind === "code") {
    const compiled = compileCode(E, problem.code, context);
    return { title: "your objective", ...compiled, optimum: undefined, nonsmooth: undefined };
  }
  if (placeOf(on)?.parts) {
    throw new RangeError(`a point of ${on} has several matrices; use a formula of your own on this manifold.`);
  }
  const name = problem.kind === "catalog" ? problem.name : problem.kind;
  const entry = problems.get(name);
  if (!entry) throw new RangeError(`problem '${name}' is none of ${[...problems.keys()].join(", ")}.`);
  const options: Record<string, unknown> = {};
  if (problem.kind === "catalog") {
    for (const { name: key, type } of entry.options) {
      const given = problem.options[key];
      if (given === undefined || given === "") continue;
      if (type === "number" || type === "integer") options[key] = Number(given);
      else if (type === "boolean") options[key] = given === "true";
      else if (type === "choice") options[key] = given;
    }
  } else {
    options.A = problem.A;
    if (problem.kind === "procrustes") options.B = problem.B;
  }
  const made = entry.make(E, { ...options, n, p, seed });
  const small = n <= LARGEST_CLOSED_FORM;
  return {
    title: made.title,
    objective: made.objective,
    optimum: small ? made.optimum : undefined,
    nonsmooth: made.nonsmooth,
  };
}

/** f(X) + c/2·‖X‖² */
function withRidge(E: Engine, f: Objective, c: number): Objective {
  const hessian = f.linearize ?? (f.hvp && ((X: Tall) => (H: Tall, D: Tall) => f.hvp!(H, X, D)));
  const q = f.quadratic;
  return {
    n: f.n,
    p: f.p,
    f: (X) => f.f(X) + (c / 2) * E.dot(X, X),
    fg(G, X) {
      const value = f.fg(G, X);
      E.combine(G, c, X, 1, G);
      return value + (c / 2) * E.dot(X, X);
    },
    ...(hessian && {
      hvp(H, X, D) {
        hessian(X)(H, D);
        E.combine(H, c, D, 1, H);
      },
      linearize(X) {
        const at = hessian(X);
        return (H, D) => {
          at(H, D);
          E.combine(H, c, D, 1, H);
        };
      },
    }),
    ...(q && !q.C && { quadratic: shiftedForm(q) }),
  };

  /** B + cI. The declared matrix and factor are those of B, and are left out. */
  function shiftedForm({ matrix: _matrix, lowRank: _lowRank, ...rest }: QuadraticForm): QuadraticForm {
    return { ...rest, apply: shifted(rest.apply) };
  }

  function shifted(apply: QuadraticForm["apply"]): QuadraticForm["apply"] {
    return (Y, X) => {
      apply(Y, X);
      E.combine(Y, c, X, 1, Y);
    };
  }
}
