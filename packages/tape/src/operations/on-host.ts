/** Operations that are computed in host memory from whole matrices: their kernels read the arguments and write the result. */
import type { Matrix } from "@expen/linalg";
import { transpose as turnNumbers } from "@expen/linalg/arrays";
import { isScalar, type Kernel, type Node, type Operation, type Registers } from "../graph.js";

/** Computes the entries of the result, row-major, from the arguments; `detail` is that of the node. */
export type HostFunction = (args: readonly Matrix[], detail: readonly unknown[]) => ArrayLike<number>;

/** Sides of arguments and result have nothing to do with each other: ab,cd->ef for two arguments. */
function separateSides(n: Node): string {
  const pair = (i: number): string => String.fromCharCode(97 + 2 * i, 98 + 2 * i);
  return `${n.args.map((_, i) => pair(i)).join()}->${pair(n.args.length)}`;
}

/* @__NO_SIDE_EFFECTS__ */ export function hostOperation(
  rules: Pick<Operation, "name" | "vjp" | "jvp" | "isOwn">,
  compute: HostFunction,
): Operation {
  return {
    ...rules,
    axes: separateSides,
    isOnHost: true,
    kernel(registers, n, out, args) {
      const detail = n.detail as readonly unknown[];
      const flags = detail.slice(-args.length - 1) as boolean[];
      const inputs = n.args.map((A, i) => input(registers, A, args[i]!, flags[i]!));
      const matrices = inputs.map(({ matrix }) => matrix);
      const write = output(registers, n, out, flags.at(-1)!);
      return () => {
        for (const { load } of inputs) load(1, 0);
        write(compute(matrices, detail));
      };
    },
  };
}

/** An argument in host memory, in the orientation of the formula; `turned`: stored as its transpose */
function input({ E, R, S }: Registers, A: Node, at: number, turned: boolean): { matrix: Matrix; load: Kernel } {
  const data = new Float64Array(A.rows * A.cols);
  const matrix = turned ? { rows: A.cols, cols: A.rows, data } : { rows: A.rows, cols: A.cols, data };
  if (isScalar(A)) return { matrix, load: () => void (data[0] = S[at]!) };
  if (!turned) return { matrix, load: () => void E.read(R[at]!, data) };
  const stored = new Float64Array(data.length);
  return { matrix, load: () => void turnNumbers(data, E.read(R[at]!, stored), A.rows, A.cols) };
}

function output({ E, R, S }: Registers, n: Node, out: number, turned: boolean): (entries: ArrayLike<number>) => void {
  if (isScalar(n)) return (entries) => void (S[out] = entries[0]!);
  if (!turned) return (entries) => E.write(R[out]!, entries);
  const stored = new Float64Array(n.rows * n.cols);
  return (entries) => E.write(R[out]!, turnNumbers(stored, Float64Array.from(entries), n.cols, n.rows));
}
