/** From a formula f(X) to an Objective on an engine: recorded once, differentiated once, replayed without allocation. */
import type { Owned } from "../engines/engine.js";
import type { Engine, Matrix, Objective } from "../types.js";
import { gradient, reachable, tangent } from "./differentiate.js";
import { type Expr, fail, type Graph, isScalar, type Node, recording, shapeOf, TapeError } from "./graph.js";
import { type Arg, constantOp, denseIsSymmetric, input, lift, type Parameter, parameterOp } from "./leaves.js";
import { lowered } from "./lower.js";
import { dense } from "./operations/linear.js";
import { makeProgram, type Program } from "./program.js";

export interface TapeObjective extends Objective {
  hvp(H: Matrix, X: Matrix, D: Matrix): void;
  linearize(X: Matrix): (H: Matrix, D: Matrix) => void;
  /** Gives a parameter a new value of the same shape. */
  set(name: string, value: number | Matrix): void;
}

/**
 * The objective f(X) on ℝⁿˣᵖ for a formula written with the operations of this folder:
 *
 *     const f = compile(E, { n, p }, (X) => scale(0.5, trace(mul(t(X), B, X, C))));
 *
 * ∇f is recorded by reverse mode, ∇²f[D] by forward mode through ∇f. All matrices are made here. Constants that are matrices of E
 * are used in place and must not change; others are copied.
 */
export function compile(E: Engine, { n, p }: { n: number; p: number }, build: (X: Expr) => Arg): TapeObjective {
  for (const [letter, size] of Object.entries({ n, p })) {
    if (!Number.isInteger(size) || size < 1)
      fail("compile", `${letter} is ${size}; it must be a whole number, 1 or more`);
  }
  const graph: Graph = { nodes: new Map(), leaves: new Map() };
  return recording(graph, () => {
    const X = input("X", n, p, 1);
    const f = dense("compile", lift("compile", build(X)));
    if (!isScalar(f)) {
      fail("compile", `the function returns ${shapeOf(f)}; it must return a number, as trace(), sum() or norm2() give`);
    }
    const G = gradient(f, X);
    const H = tangent(G, X, input("D", n, p, 2));
    return objective(E, n, p, f, G, H);
  });
}

function objective(E: Engine, n: number, p: number, f: Node, G: Node, H: Node): TapeObjective {
  const matrices = new Map<Node, Matrix>();
  /** the engine's matrix for a constant or a parameter */
  function constant(leaf: Node): Matrix {
    let M = matrices.get(leaf);
    if (!M) {
      M = leaf.op === constantOp ? owned(E, leaf.data as Matrix) : E.from((leaf.data as Parameter).value as Matrix);
      matrices.set(leaf, M);
    }
    return M;
  }

  const [value, first] = lowered([f, G]) as [Node, Node];
  const [second] = lowered([H]) as [Node];
  const gradientProgram = makeProgram(E, { value, matrix: first, level: 1 }, constant);
  const hessianProgram = makeProgram(E, { matrix: second, level: 2 }, constant);
  const programs = [gradientProgram, hessianProgram];
  /** where f, which wants no gradient, lets parts of it go that its value needs */
  const W = E.matrix(n, p);

  const parameters = new Map<string, Node>();
  for (const leaf of reachable([f])) {
    if (leaf.op === parameterOp) parameters.set((leaf.data as Parameter).parameter, leaf);
  }
  function assign(leaf: Node, value: number | Matrix): void {
    if (!isScalar(leaf)) constant(leaf).data.set((value as Matrix).data);
    else for (const q of programs) q.setScalar(leaf, typeof value === "number" ? value : value.data[0]!);
  }
  for (const leaf of parameters.values()) assign(leaf, (leaf.data as Parameter).value);

  /** programs whose instructions for constants have to run again */
  const stale = new Set<Program>(programs);
  const prepare = (q: Program): void => {
    if (stale.delete(q)) q.run(0);
  };

  function check(what: string, A: Matrix, ...others: Matrix[]): void {
    if (A?.rows !== n || A.cols !== p) {
      throw new TapeError(`tape: ${what} is ${A ? shapeOf(A) : typeof A}; it must be ${n}×${p}, as compiled.`);
    }
    if (others.includes(A)) throw new TapeError(`tape: ${what} is also the point or direction; use a second matrix.`);
  }

  /** the linearization whose numbers the program holds */
  let held: object | undefined;
  function linearize(X: Matrix): (H: Matrix, D: Matrix) => void {
    check("X", X);
    const mine = {};
    const hold = (): void => {
      prepare(hessianProgram);
      hessianProgram.bind("X", X);
      hessianProgram.run(1);
      held = mine;
    };
    hold();
    return (H, D) => {
      check("D", D);
      check("H", H, X, D);
      if (held !== mine) hold();
      hessianProgram.bind("D", D);
      hessianProgram.bind("destination", H);
      hessianProgram.run(2);
    };
  }

  function begin(X: Matrix, destination: Matrix): void {
    check("X", X);
    prepare(gradientProgram);
    gradientProgram.bind("X", X);
    gradientProgram.bind("destination", destination);
  }

  return {
    n,
    p,
    f(X) {
      begin(X, W);
      gradientProgram.runValue();
      return gradientProgram.value();
    },
    fg(G, X) {
      check("G", G, X);
      begin(X, G);
      gradientProgram.run(1);
      return gradientProgram.value();
    },
    hvp: (H, X, D) => linearize(X)(H, D),
    linearize,
    set(name, value) {
      const leaf = parameters.get(name);
      if (!leaf) {
        const known = [...parameters.keys()].map((k) => `'${k}'`).join(", ");
        throw new TapeError(`set: there is no parameter '${name}'; the formula has ${known || "none"}.`);
      }
      const shape = typeof value === "number" ? { rows: 1, cols: 1 } : value;
      if (shape.rows !== leaf.rows || shape.cols !== leaf.cols) {
        throw new TapeError(`set: parameter '${name}' is ${shapeOf(leaf)} but the new value is ${shapeOf(shape)}.`);
      }
      if ((leaf.data as Parameter).symmetric && typeof value !== "number" && !denseIsSymmetric(value)) {
        throw new TapeError(`set: parameter '${name}' was declared symmetric but the new value is not.`);
      }
      assign(leaf, value);
      for (const q of programs) stale.add(q);
      held = undefined;
    },
  };
}

/** The matrix itself if it is one of E's, else a copy. */
function owned(E: Engine, M: Matrix): Matrix {
  return (M as Owned).owner === (E.matrix(0, 0) as Owned).owner ? M : E.from(M);
}
