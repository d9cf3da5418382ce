/** One pass over memory: linear combinations one after the other, and inner products of what they leave, as one kernel. */
import type { Instruction } from "@expen/linalg";
import type { Fusion } from "./fused.js";

/** Z ← Σ c_i·X_i, the numbers c_i apart; Z may be one of the X_i */
export interface Combination<M> {
  readonly Xs: readonly M[];
  readonly Z: M;
}
export type Pair<M> = readonly [M, M];

export interface Pass<M> {
  /** says all about the kernel: passes of one structure have one name, whatever their matrices are */
  readonly name: string;
  /** the matrices in the order of the kernel's parameters */
  readonly inputs: readonly M[];
  readonly outputs: readonly M[];
  fusion(): Fusion;
}

/** A pass on matrices of any kind: those of a device, or letters where its kernel is made */
export function passOf<M>(sums: readonly Combination<M>[], pairs: readonly Pair<M>[]): Pass<M> {
  /** the value in each matrix now: values are numbered in the order in which they are read or made */
  const holds = new Map<M, number>();
  const [inputs, loaded]: [M[], number[]] = [[], []];
  let values = 0;
  const read = (X: M): number => {
    let value = holds.get(X);
    if (value === undefined) {
      holds.set(X, (value = values++));
      inputs.push(X);
      loaded.push(value);
    }
    return value;
  };
  const inner = sums.map(({ Xs, Z }) => {
    const terms = Xs.map(read);
    holds.set(Z, values);
    return { terms, value: values++ };
  });
  const dots = pairs.map(([X, Y]) => [read(X), read(Y)] as const);
  const outputs = [...new Set(sums.map(({ Z }) => Z))];
  const results = outputs.map((Z) => holds.get(Z)!);
  const words = [...inner.map(({ terms }) => ["s", ...terms]), ...dots.map((d) => ["d", ...d]), ["w", ...results]];

  function fusion(): Fusion {
    const registers = new Map(loaded.map((value, i) => [value, i]));
    const code: Instruction[] = [];
    const push = (op: "mul" | "muladd", ...args: number[]): number => inputs.length + code.push({ op, args }) - 1;
    let constants = 0;
    for (const { terms, value } of inner) {
      let [r, begun] = [0, false];
      for (const term of terms) {
        const [c, x] = [-1 - constants++, registers.get(term)!];
        r = begun ? push("muladd", c, x, r) : push("mul", c, x);
        begun = true;
      }
      registers.set(value, r);
    }
    const products = dots.map(([x, y]) => push("mul", registers.get(x)!, registers.get(y)!));
    return { inputs: inputs.length, constants, code, outputs: results.map((v) => registers.get(v)!), sums: products };
  }

  return { name: words.map((w) => w.join("_")).join("_"), inputs, outputs, fusion };
}
