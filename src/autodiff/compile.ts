/** From a formula f(X) to an Objective on an engine: recorded once, differentiated once, replayed without allocation. */
import type { Owned } from "../engines/engine.js";
import type { Engine, Matrix, Objective } from "../types.js";
import { gradient, reachable, tangent } from "./differentiate.js";
import { type Expr, fail, type Graph, isScalar, type Node, recording, shapeOf, TapeError } from "./graph.js";
import { type Arg, constantOp, denseIsSymmetric, input, lift, type Parameter, parameterOp } from "./leaves.js";
import { lowered } from "./lower.js";
import { dense } from "./operations/linear.js";
import { makeProgram, type Pool, type Program } from "./program.js";

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
  const graph: Graph = { nodes: new Map(), leaves: new Map() };
  return recording(graph, () => {
    const X = input("X", n, p, 1);
    const f = dense("compile", lift("compile", build(X)));
    if (!isScalar(f))
      fail("compile", `the function returns ${shapeOf(f)}; it must return a number, as trace(), sum() or norm2() give`);
    const G = gradient(f, X);
    const H = tangent(G, X, input("D", n, p, 2));
    return objective(E, n, p, f, G, H);
  });
}

function objective(E: Engine, n: number, p: number, f: Node, G: Node, H: Node): TapeObjective {
  const [value] = lowered([f]) as [Node];
  const [valueToo, first] = lowered([f, G]) as [Node, Node];
  const [second] = lowered([H]) as [Node];

  const parameters = new Map<string, { node: Node; M: Matrix | undefined }>();
  const matrices = new Map<Node, Matrix>();
  const constant = (leaf: Node): Matrix => {
    let M = matrices.get(leaf);
    if (!M)
      matrices.set(
        leaf,
        (M = leaf.op === constantOp ? owned(E, leaf.data as Matrix) : E.from((leaf.data as Parameter).value as Matrix)),
      );
    return M;
  };

  const temporaries: Pool = new Map();
  const valueProgram = makeProgram(E, { value, level: 1 }, constant, temporaries);
  const gradientProgram = makeProgram(E, { value: valueToo, matrix: first, level: 1 }, constant, temporaries);
  // its own temporaries: a linearization outlives calls of f and fg
  const hessianProgram = makeProgram(E, { matrix: second, level: 2 }, constant, new Map());
  const programs = [valueProgram, gradientProgram, hessianProgram];

  for (const leaf of reachable([f])) {
    if (leaf.op === parameterOp)
      parameters.set((leaf.data as Parameter).parameter, {
        node: leaf,
        M: isScalar(leaf) ? undefined : constant(leaf),
      });
  }
  const stale = new Set<Program>(programs);
  for (const { node } of parameters.values())
    if (isScalar(node)) for (const q of programs) q.setScalar(node, scalarValue((node.data as Parameter).value));

  const check = (what: string, A: Matrix, other?: Matrix): void => {
    if (A?.rows !== n || A.cols !== p)
      throw new TapeError(`tape: ${what} is ${A ? shapeOf(A) : typeof A}; it must be ${n}×${p}, as compiled.`);
    if (A === other) throw new TapeError(`tape: ${what} is also the point or direction; use a second matrix.`);
  };
  const prepare = (q: Program): void => {
    if (!stale.delete(q)) return;
    q.run(0);
  };

  let linearizations = 0;
  function linearize(X: Matrix): (H: Matrix, D: Matrix) => void {
    check("X", X);
    prepare(hessianProgram);
    hessianProgram.bind("X", X);
    hessianProgram.run(1);
    const mine = ++linearizations;
    return (HD, D) => {
      if (mine !== linearizations)
        throw new TapeError("tape: this linearization is out of date; call linearize(X) again.");
      check("H", HD, X);
      check("D", D, HD);
      hessianProgram.bind("D", D);
      hessianProgram.bind("destination", HD);
      hessianProgram.run(2);
    };
  }

  return {
    n,
    p,
    f(X) {
      check("X", X);
      prepare(valueProgram);
      valueProgram.bind("X", X);
      valueProgram.run(1);
      return valueProgram.value();
    },
    fg(G, X) {
      check("X", X);
      check("G", G, X);
      prepare(gradientProgram);
      gradientProgram.bind("X", X);
      gradientProgram.bind("destination", G);
      gradientProgram.run(1);
      return gradientProgram.value();
    },
    hvp: (H, X, D) => linearize(X)(H, D),
    linearize,
    set(name, value) {
      const known = parameters.get(name);
      if (!known)
        throw new TapeError(
          `set: there is no parameter '${name}'; the formula has ${[...parameters.keys()].map((k) => `'${k}'`).join(", ") || "none"}.`,
        );
      const { node, M } = known;
      const given = typeof value === "number" ? { rows: 1, cols: 1 } : value;
      if (given.rows !== node.rows || given.cols !== node.cols)
        throw new TapeError(`set: parameter '${name}' is ${shapeOf(node)} but the new value is ${shapeOf(given)}.`);
      if (M) {
        if ((node.data as Parameter).symmetric && !denseIsSymmetric(value as Matrix))
          throw new TapeError(`set: parameter '${name}' was declared symmetric but the new value is not.`);
        M.data.set((value as Matrix).data);
      } else for (const q of programs) q.setScalar(node, scalarValue(value));
      for (const q of programs) stale.add(q);
      linearizations++;
    },
  };
}

const scalarValue = (value: number | Matrix): number => (typeof value === "number" ? value : value.data[0]!);

/** The matrix itself if it is one of E's, else a copy. */
function owned(E: Engine, M: Matrix): Matrix {
  return (M as Owned).owner === (E.matrix(0, 0) as Owned).owner ? M : E.from(M);
}
