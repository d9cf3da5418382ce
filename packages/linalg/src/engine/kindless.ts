/** An engine without the kinds tall and small in its types, for lists of both kinds: the registers of the tape. */
import type { Engine, Factorizations, Operator } from "../contracts/engine.js";
import type { Matrix } from "../contracts/matrix.js";

type Free<T> = T extends Matrix
  ? Matrix
  : T extends readonly Matrix[]
    ? readonly Matrix[]
    : T extends (...args: infer A) => infer R
      ? (...args: { [I in keyof A]: Free<A[I]> }) => R
      : T;
type Kindless<T> = { readonly [K in keyof T]: Free<T[K]> };

export type KindlessOperator = Omit<Kindless<Operator>, "main"> & Pick<Operator, "main">;
export interface KindlessEngine extends Omit<Kindless<Engine>, "tall" | "small" | "factor" | "operator"> {
  readonly tall: Engine["tall"];
  readonly small: Engine["small"];
  readonly factor: Kindless<Factorizations>;
  operator(...A: Parameters<Engine["operator"]>): KindlessOperator;
}

/** The same engine; a mixture of kinds is detected at run time only. */
export const kindless = (E: Engine): KindlessEngine => E as unknown as KindlessEngine;
