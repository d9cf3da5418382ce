/** Inverse and log-determinant of a square matrix, meant for p×p. */
import { luDeterminant, luFactor, luIsSingular, luSolve } from "@expen/linalg/arrays";
import { fail, isScalar, type Node, node, type Operation, type Registers, shapeOf } from "../graph.js";
import { type Arg, inverseOperator, lift, operatorOp } from "../leaves.js";
import { diag, diagOp } from "./diagonal-matrix.js";
import { apply } from "./elementwise.js";
import { joined, multiple, negative, split, transpose } from "./linear.js";
import { productOf, traceOfProduct, turned } from "./product.js";

/** A⁻¹; d(A⁻¹) = −A⁻¹·dA·A⁻¹. NaN everywhere if A is singular. */
export const inverseOp: Operation = {
  name: "inverse",
  axes: "ii->ii",
  vjp: (n, W) => [negative(productOf(turned(n), W, turned(n)))],
  jvp: (n, [dA]) => negative(productOf(n, dA!, n)),
  kernel(registers, n, out, [x]) {
    const { E, R } = registers;
    const factor = factorization(registers, n.rows);
    const inverted = new Float64Array(n.rows * n.rows);
    return () => {
      const { lu, pivots, singular } = factor(x!);
      inverted.fill(singular ? Number.NaN : 0);
      for (let i = 0; i < n.rows && !singular; i++) inverted[i * (n.rows + 1)] = 1;
      if (!singular) luSolve(inverted, n.rows, lu, n.rows, pivots);
      E.write(R[out]!, inverted);
    };
  },
};

/** log det A; its derivative is tr(A⁻¹·dA). −∞ if A is singular, NaN if det A < 0. */
const logdetOp: Operation = {
  name: "logdet",
  axes: "ii->",
  vjp: (n, w) => [multiple(w, transpose(inverse(n.args[0]!)))],
  jvp: (n, [dA]) => traceOfProduct(inverse(n.args[0]!), dA!),
  kernel(registers, n, out, [x]) {
    const size = n.args[0]!.rows;
    const factor = factorization(registers, size);
    return () => {
      const { lu, sign, singular } = factor(x!);
      const determinant = luDeterminant(lu, size, sign);
      if (singular) registers.S[out] = Number.NEGATIVE_INFINITY;
      else registers.S[out] = determinant.sign > 0 ? determinant.log : Number.NaN;
    };
  },
};

/** P·A = L·U of the matrix in a register, in scratch made here */
function factorization({ E, R }: Registers, size: number) {
  const lu = new Float64Array(size * size);
  const pivots = new Int32Array(size);
  return (x: number) => {
    E.read(R[x]!, lu);
    const sign = luFactor(lu, size, pivots);
    return { lu, pivots, sign, singular: luIsSingular(lu, size) };
  };
}

export function inverse(A: Node): Node {
  if (isScalar(A)) return apply("pow", A, -1);
  if (A.op === inverseOp) return A.args[0]!;
  const { c, s, base } = split(A);
  if (base !== A) return joined(1 / c, s && apply("pow", s, -1), inverse(base));
  if (A.op === diagOp) return diag(apply("pow", A.args[0]!, -1));
  return node(inverseOp, [A], A.rows, A.cols, "", A.symmetric);
}

function square(operation: string, A: Node): Node {
  if (A.rows !== A.cols) fail(operation, `the matrix is ${shapeOf(A)}; it must be square`);
  return A;
}

/** A⁻¹ of a square matrix, formed; of a tridiagonal T, as a factor of products, by elimination in O(n) without pivoting */
export function inv(A: Arg): Node {
  const a = square("inv", lift("inv", A));
  if (a.op !== operatorOp) return inverse(a);
  return inverseOperator("inv", a);
}

/** A⁻¹·B */
export function solve(A: Arg, B: Arg): Node {
  const [a, b] = [square("solve", lift("solve", A)), lift("solve", B)];
  if (a.cols !== b.rows) fail("solve", `sizes differ, ${shapeOf(a)} and ${shapeOf(b)}`);
  return productOf(a.op === operatorOp ? inverseOperator("solve", a) : inverse(a), b);
}

/** log det A for det A > 0; else NaN, or −∞ where A is singular */
export function logdet(A: Arg): Node {
  const a = square("logdet", lift("logdet", A));
  if (a.op === operatorOp) fail("logdet", "a sparse or tridiagonal matrix is not accepted; give a dense one");
  return isScalar(a) ? apply("log", a) : node(logdetOp, [a], 1, 1);
}
