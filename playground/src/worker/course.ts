/** From a specification to an objective on an engine. */
import type { Engine, Manifold, Nonsmooth, Objective, QuadraticForm, SolverName, Tall } from "expen";
import type { Molecule } from "expen/data";
import { requireMemory } from "expen/engines";
import { objectiveOn, type StiefelOptions, solverParts, solvers } from "expen/methods";
import { problems } from "expen/problems";
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
  /** where X lives */
  manifold: Manifold;
  bound: ReturnType<Manifold["bind"]>;
  /** a value that somebody else found; nothing proves that there is no lower one */
  reference?: number;
  /** where the problem has its own */
  options?: Pick<StiefelOptions, "start" | "tol" | "certificateBudget">;
  /** what f is called, where its values themselves are worth a chart */
  valueLabel?: string;
}

/** n·p numbers and n rows: what a tab can hold a few dozen times over. */
const MOST_NUMBERS = 2 ** 24;
const MOST_ROWS = 2 ** 18;
/** An eigenproblem of this size takes about a second here; beyond it f* is the best value seen. */
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

/** Memory for all entrants: they run side by side. What the problem itself holds is compared when it is made. */
export function requireRoom(E: Engine, { n, p, on, entrants }: Pick<RaceSpec, "n" | "p" | "on" | "entrants">): void {
  checkSize(n, p, on);
  const known = entrants.filter(({ solver }) => Object.hasOwn(solvers, solver));
  const parts = known.flatMap(({ solver }) => solverParts(n, p, { solver: solver as SolverName }));
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

/** `bound`: where the objective is one of its points already */
type Made = Omit<OpenedCourse, "manifold" | "bound"> & Partial<Pick<OpenedCourse, "bound">>;

function open(E: Engine, problem: ProblemSpec, context: CodeContext & { on: string }): Made {
  const { n, p, seed, on } = context;
  if (problem.kind === "code") {
    const compiled = compileCode(E, problem.code, context);
    return { title: "your objective", ...compiled, optimum: undefined, nonsmooth: undefined };
  }
  if (placeOf(on)?.parts) {
    throw new RangeError(`a point of ${on} has several matrices; run a formula of your own there.`);
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

  /** B + cI; what was declared of the matrix was that of B */
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
