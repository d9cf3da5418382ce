/** Linear maps on tall matrices of the device: dense by cuBLAS, sparse and tridiagonal by kernels. */

import type { Engine, Matrix, Operator, Sparse, Tall, Tridiagonal } from "@expen/linalg";
import { EngineError, requireShape } from "@expen/linalg";
import { type Diagonals, factorDiagonals, isSparse, sparseTranspose, transposeDiagonals } from "@expen/linalg/arrays";
import type { Kernels, Owned } from "@expen/linalg/engine";
import { type checks, isTridiagonal, shape } from "@expen/linalg/engine";
import type { Device } from "./device.js";
import { address, type Launcher } from "./launcher.js";
import { type Block, DeviceMatrix, type DeviceMemory } from "./memory.js";
import { type Recurrences, recurrences } from "./recurrence.js";

export interface OperatorTools {
  readonly device: Device;
  readonly memory: DeviceMemory;
  readonly kernels: Kernels;
  readonly launch: Launcher;
  /** those of the engine, once it is made */
  readonly engine: () => { checks: ReturnType<typeof checks> } & Pick<Engine, "counters" | "tall">;
}

/** a ≠ 0 and X not empty */
type Raw = (Y: Owned, X: Owned, a: number, b: number) => void;

export function deviceOperators(tools: OperatorTools): Engine["operator"] {
  const { device, memory, kernels, launch, engine } = tools;

  function upload(numbers: Float64Array | Int32Array): Block {
    const block = memory.block(numbers.byteLength, `operator: no memory for ${numbers.length} numbers`);
    if (numbers.length > 0) device.upload(block.at, numbers);
    return block;
  }

  /** The numbers of a matrix of this engine or in host memory */
  function numbers(M: Matrix): Float64Array {
    if (!(M instanceof DeviceMatrix)) return M.data.slice();
    const copy = new Float64Array(M.rows * M.cols);
    memory.read(engine().checks.own(M, "operator", "A"), copy);
    return copy;
  }

  /** Y ← a·A·X + b·Y for A of rows×cols, checked */
  function checked(op: string, rows: number, cols: number, flops: number, raw: Raw): Operator["apply"] {
    return (Y, X, a = 1, b = 0) => {
      const { own, same, apart, ofOneKind } = engine().checks;
      const [y, x] = [own(Y, op, "Y"), own(X, op, "X")];
      ofOneKind(Y, X, op, "Y and X");
      apart(Y, X, op, "X");
      if (X.rows !== cols) {
        throw new EngineError(`${op}: the operator is ${rows}×${cols} but X is ${shape(X)}; check the shapes.`);
      }
      same(Y, rows, X.cols, op, "Y", "rows of the operator by columns of X");
      const size = rows * X.cols;
      if (size === 0) return;
      engine().counters.flops += flops * X.cols;
      if (a !== 0 && cols > 0) raw(y, x, a, b);
      else if (b === 0) kernels.fill(size, 0, y);
      else if (b !== 1) kernels.axpby(size, b, y, 0, y);
    };
  }

  function dense(A: Matrix): Operator {
    const { rows, cols } = A;
    const B = upload(numbers(A)) as Owned;
    const flops = 2 * rows * cols;
    return {
      rows,
      cols,
      flops,
      apply: checked("apply", rows, cols, flops, (Y, X, a, b) =>
        kernels.gemm(rows, X.cols, cols, a, B, false, X, false, b, Y),
      ),
      applyT: checked("applyT", cols, rows, flops, (Y, X, a, b) =>
        kernels.gemm(cols, X.cols, rows, a, B, true, X, false, b, Y),
      ),
    };
  }

  function sparse(A: Sparse): Operator {
    const flops = 2 * A.values.length;
    const multiplier = ({ rows, pointers, indices, values }: Sparse): Raw => {
      const parts = [upload(pointers), upload(indices), upload(values)];
      return (Y, X, a, b) => {
        const sizes = [BigInt(rows), BigInt(X.cols)];
        launch.rows("sparse", rows, X.cols, [...sizes, a, ...parts.map(address), address(X), b, address(Y)]);
      };
    };
    const plain = multiplier(A);
    let turned: Raw | undefined;
    return {
      rows: A.rows,
      cols: A.cols,
      flops,
      apply: checked("apply", A.rows, A.cols, flops, plain),
      applyT: checked("applyT", A.cols, A.rows, flops, (Y, X, a, b) =>
        (turned ??= multiplier(sparseTranspose(A)))(Y, X, a, b),
      ),
    };
  }

  function tridiagonal(T: Tridiagonal): Operator {
    const n = T.main.rows;
    for (const [letter, d] of Object.entries({ lower: T.lower, main: T.main, upper: T.upper })) {
      requireShape(d, n, 1, "operator", `T.${letter}`);
    }
    const plain: Diagonals = { lower: numbers(T.lower), main: numbers(T.main), upper: numbers(T.upper) };
    const multiplier = ({ lower, upper }: Diagonals, main: Block): Raw => {
      const parts = [upload(lower), main, upload(upper)];
      return (Y, X, a, b) => {
        const args = [a, ...parts.map(address), address(X), b, address(Y)];
        // ⟨X, Y⟩, which quadratic forms ask for next, costs nothing in the same pass
        device.defer({
          run: () => launch.entries("tridiagonal", n, X.cols, args),
          dots(size, Us, V) {
            const [U] = Us;
            const isForm = Us.length === 1 && ((U === X && V === Y) || (U === Y && V === X));
            if (!isForm || size !== n * X.cols) return undefined;
            device.claim();
            return launch.entriesWithSum("tridiagonalDot", n, X.cols, args);
          },
        });
      };
    };
    const main = engine().tall(n, 1, plain.main);
    const forward = multiplier(plain, main as Tall & Owned);
    let turned: Raw | undefined;
    let factors: Recurrences | undefined;
    const flops = 5 * n;
    return {
      rows: n,
      cols: n,
      flops,
      apply: checked("apply", n, n, 0, forward),
      applyT: checked("applyT", n, n, 0, (Y, X, a, b) =>
        (turned ??= multiplier(transposeDiagonals(plain), upload(plain.main)))(Y, X, a, b),
      ),
      solve(Y, X) {
        factors ??= recurrences(device, memory, launch, factorDiagonals(plain));
        checked("solve", n, n, 0, (y, x) => factors!.solve(y, x, x.cols))(Y, X);
      },
      main,
    };
  }

  return (A) => {
    if (isTridiagonal(A)) return tridiagonal(A);
    return isSparse(A) ? sparse(A) : dense(A);
  };
}
