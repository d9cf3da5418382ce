import type { Nonsmooth, Sparsity } from "@expen/core";
import type { Chain, Engine, Matrix, Tall } from "@expen/linalg";
import { chain, chainBuilder } from "@expen/linalg/engine";

/** A sparsity-promoting norm r and its proximal map. */
export interface Proximal {
  value(X: Tall): number;
  /** T ← argmin r(T) + ‖T − Z‖²/(2η) */
  prox(T: Tall, Z: Tall, eta: number): void;
}

const absolutes = chain(1, ({ abs }, x) => ({ sum: abs(x) }));
const roots = chain(1, ({ sqrt }, x) => ({ sum: sqrt(x) }));

/**
 *     l1:   T_ij = sign(Z_ij)·max(|Z_ij| − wη, 0),              r(X) = w·Σ|X_ij|
 *     l21:  T_i  = max(1 − wη/‖Z_i‖, 0)·Z_i,   i a row,          r(X) = w·Σ‖X_i‖
 */
export function proximal(E: Engine, n: number, { kind, weight }: Nonsmooth): Proximal {
  if (kind === "l1") {
    const soft = softThreshold();
    return {
      value: (X) => weight * E.map([], absolutes, [X]),
      prox: (T, Z, eta) => void E.map([T], soft(weight * eta), [Z]),
    };
  }
  const [squares, factors] = [E.tall(n, 1), E.tall(n, 1)];
  const shrinkage = rowShrinkage();
  return {
    value(X) {
      E.rowDots(squares, X, X);
      return weight * E.map([], roots, [squares]);
    },
    prox(T, Z, eta) {
      E.rowDots(squares, Z, Z);
      E.map([factors], shrinkage(weight * eta), [squares]);
      E.scaleRows(T, factors, Z);
    },
  };
}

/** z ↦ z − min(max(z, −t), t), exactly zero for |z| ≤ t; the chain is the same for every t */
function softThreshold(): (t: number) => Chain {
  const { op, inputs, variable, finish } = chainBuilder(1);
  const [low, high, z] = [variable(), variable(), inputs[0]!];
  const thresholded = finish([op.sub(z, op.min(op.max(z, low.value), high.value))]);
  const constants = thresholded.constants as number[];
  return (t) => {
    constants[low.place] = -t;
    constants[high.place] = t;
    return thresholded;
  };
}

/** ‖z‖² ↦ max(1 − t/‖z‖, 0), 0 for z = 0 */
function rowShrinkage(): (t: number) => Chain {
  const { op, inputs, variable, finish } = chainBuilder(1);
  const [threshold, square, zz] = [variable(), variable(), inputs[0]!];
  const factor = op.sub(1, op.div(threshold.value, op.sqrt(zz)));
  const factors = finish([op.select(op.less(square.value, zz), factor, 0)]);
  const constants = factors.constants as number[];
  return (t) => {
    constants[threshold.place] = t;
    constants[square.place] = t * t;
    return factors;
  };
}

/** The numbers of zero entries and of zero rows, zero being |X_ij| ≤ threshold, and the pattern with 1 for each nonzero entry. */
export function sparsityPattern({ rows: n, cols: p, data: x }: Matrix, threshold = 1e-8): Sparsity {
  const pattern = Uint8Array.from(x, (v) => (Math.abs(v) > threshold ? 1 : 0));
  let [zeros, zeroRows] = [0, 0];
  for (let i = 0; i < n; i++) {
    let filled = 0;
    for (let j = 0; j < p; j++) filled += pattern[i * p + j]!;
    zeros += p - filled;
    if (filled === 0) zeroRows++;
  }
  return { zeros, zeroRows, pattern };
}
