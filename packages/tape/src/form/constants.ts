/** The entries of nodes that do not depend on X, row-major in host memory, computed once for each form */

import type { Engine, Matrix } from "@expen/linalg";
import { jsEngine } from "@expen/linalg/engine";
import { axesOf } from "../axes.js";
import { reachable } from "../differentiate.js";
import { isScalar, type Node, recording } from "../graph.js";
import { heldData } from "../held.js";
import { constantOp, isLiteral, numberOf, parameterOp } from "../leaves.js";
import { lowered } from "../lower.js";
import { fullOp } from "../operations/linear.js";
import { chainOp, colsOf, factorsOf } from "../operations/product.js";
import { placed } from "../place.js";
import { makeProgram } from "../program.js";

export interface Constants {
  numbers(n: Node): Float64Array;
  number(n: Node): number;
}

/** `parameter`: its current value */
export function constants(read: (M: Matrix) => Float64Array, parameter: (leaf: Node) => number | Matrix): Constants {
  const cache = new Map<Node, Float64Array>();
  let E: Engine | undefined;
  return { numbers, number: (n) => numbers(n)[0]! };

  function numbers(n: Node): Float64Array {
    let known = cache.get(n);
    if (!known) cache.set(n, (known = ofLeaf(n) ?? ofOuter(n) ?? recording(n.graph, () => computed(n))));
    return known;
  }

  function ofLeaf(n: Node): Float64Array | undefined {
    if (isLiteral(n)) return Float64Array.of(numberOf(n));
    if (n.op === constantOp) return read(n.detail as Matrix);
    if (n.op === fullOp) return new Float64Array(n.rows * n.cols).fill(numbers(n.args[0]!)[0]!);
    if (n.op !== parameterOp) return undefined;
    const value = parameter(n);
    return typeof value === "number" ? Float64Array.of(value) : read(value);
  }

  /** uvᵀ of two leaves, without a program: formulas with loops over data have many of them */
  function ofOuter(n: Node): Float64Array | undefined {
    if (n.op !== chainOp || n.args.length > 2 || colsOf(factorsOf(n)[0]!) > 1) return undefined;
    const [u, v] = n.args.map(ofLeaf);
    return (
      u && v && Float64Array.from({ length: n.rows * n.cols }, (_, k) => u[Math.floor(k / n.cols)]! * v[k % n.cols]!)
    );
  }

  /** By a program of the tape on constants only */
  function computed(n: Node): Float64Array {
    E ??= jsEngine();
    const instructions = lowered([n], axesOf([n], "nothing"));
    const { roots, kind } = placed(instructions, axesOf(instructions, "nothing"));
    const leaves = reachable([n]).filter(({ args }) => args.length === 0);
    const data = heldData(E, { read, leaves: new Map(leaves.map((leaf) => [leaf.id, leaf])) });
    const [root] = roots as [Node];
    const request = isScalar(n) ? { value: root, matrices: [] } : { matrices: [root] };
    const program = makeProgram({ E, kind, ...data }, { ...request, level: 0 });
    for (const leaf of leaves.filter(({ op }) => op === parameterOp)) {
      if (isScalar(leaf)) program.setScalar(leaf, numbers(leaf)[0]!);
      else data.assign(leaf, { rows: leaf.rows, cols: leaf.cols, data: numbers(leaf) });
    }
    const Y = E.small(n.rows, n.cols);
    program.bind("destination 0", Y);
    program.run(0);
    return isScalar(n) ? Float64Array.of(program.value()) : E.read(Y);
  }
}
