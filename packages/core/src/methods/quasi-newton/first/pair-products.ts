import type { Engine, Small } from "@expen/linalg";
import type { Tangent } from "../tangent.js";

type TangentPair = { readonly D: Tangent; readonly y: Tangent };

/** ZᵀZ of D and of y, and Z_DᵀZ_y, of the pair that was prepared last: at its trial point, if sums travel, or when it is learned from */
export interface PairProducts {
  readonly DD: Small;
  readonly yy: Small;
  /** of a pair prepared with it */
  readonly Dy: Small;
  /** Computes them, once for each pair. */
  prepare(pair: TangentPair, withMixed: boolean): void;
  /** To be called when the pair changes. */
  forget(): void;
}

export function pairProducts(E: Engine, p: number): PairProducts {
  const [DD, yy, Dy] = [E.small(p, p), E.small(p, p), E.small(p, p)];
  let of: (TangentPair & { withMixed: boolean }) | undefined;
  return {
    DD,
    yy,
    Dy,
    prepare({ D, y }, withMixed) {
      const isSame = of?.D === D && of.y === y;
      if (!isSame) {
        E.gram(DD, D.Z!);
        E.gram(yy, y.Z!);
      }
      const hasMixed = isSame && of!.withMixed;
      if (withMixed && !hasMixed) E.tmul(Dy, D.Z!, y.Z!);
      of = { D, y, withMixed: withMixed || hasMixed };
    },
    forget() {
      of = undefined;
    },
  };
}
