import type { Engine, Small } from "@expen/linalg";
import type { Tangent } from "../frame.js";

/** ZᵀZ of D and of y, and Z_DᵀZ_y, of a pair that may have been prepared at its trial point */
export interface PairProducts {
  prepare(pair: { readonly D: Tangent; readonly y: Tangent }, withMixed: boolean): void;
  DD(D: Tangent): Small;
  yy(y: Tangent): Small;
  Dy(D: Tangent, y: Tangent): Small;
  /** To be called when the pair changes. */
  forget(): void;
}

/**
 * Prepared products have a matrix each, made at the first `prepare`, which is called if sums travel; they go with the next message. Others
 * are computed in `scratch`, which holds one of them at a time.
 */
export function pairProducts(E: Engine, p: number, scratch: Small): PairProducts {
  let own: readonly [Small, Small, Small] | undefined;
  let of: { readonly D: Tangent; readonly y: Tangent; readonly withMixed: boolean } | undefined;
  return {
    prepare({ D, y }, withMixed) {
      own ??= [E.small(p, p), E.small(p, p), E.small(p, p)];
      E.gram(own[0], D.Z!);
      E.gram(own[1], y.Z!);
      if (withMixed) E.tmul(own[2], D.Z!, y.Z!);
      of = { D, y, withMixed };
    },
    DD(D) {
      if (of?.D === D) return own![0];
      E.gram(scratch, D.Z!);
      return scratch;
    },
    yy(y) {
      if (of?.y === y) return own![1];
      E.gram(scratch, y.Z!);
      return scratch;
    },
    Dy(D, y) {
      if (of?.D === D && of.y === y && of.withMixed) return own![2];
      E.tmul(scratch, D.Z!, y.Z!);
      return scratch;
    },
    forget() {
      of = undefined;
    },
  };
}
