/** Operations in place on small square matrices. */
import type { Engine } from "../../contracts/engine.js";
import type { Base } from "./given.js";

export function squares({ kernels: k, ownSmall, same }: Base): Pick<Engine, "symmetrize" | "addDiagonal"> {
  return {
    symmetrize(S) {
      const s = ownSmall(S, "symmetrize", "S");
      same(S, S.rows, S.rows, "symmetrize", "S", "square");
      if (S.rows > 0) k.symmetrize(S.rows, s);
    },

    addDiagonal(S, a) {
      const s = ownSmall(S, "addDiagonal", "S");
      same(S, S.rows, S.rows, "addDiagonal", "S", "square");
      if (S.rows > 0) k.addDiagonal(S.rows, a, s);
    },
  };
}
