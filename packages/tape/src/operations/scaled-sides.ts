import type { Node } from "../graph.js";
import { diag } from "./diagonal-matrix.js";
import { hadamard, hadamardOp } from "./elementwise.js";
import { transpose } from "./linear.js";

/** A∘v1ᵀ = Diag(v)·A and A∘1vᵀ = A·Diag(v): among other factors, the smallest matrix can be scaled */
export function scaledSides(base: Node): Node[] | undefined {
  if (base.op !== hadamardOp) return undefined;
  const [left, right, rest] = [[], [], []] as [Node[], Node[], Node[]];
  const collect = (A: Node): void => {
    if (A.op === hadamardOp) for (const B of A.args) collect(B);
    else if (A.op.repeats === "columns") left.push(diag(A.args[0]!));
    else if (A.op.repeats === "rows") right.push(diag(transpose(A.args[0]!)));
    else rest.push(A);
  };
  collect(base);
  if (rest.length === 0 || left.length + right.length === 0) return undefined;
  return [...left, rest.reduce(hadamard), ...right];
}
