/** Operations entry by entry, on matrices of one shape and one kind. */

import type { Engine } from "../../contracts/engine.js";
import type { Matrix } from "../../contracts/matrix.js";
import { EngineError } from "../../errors.js";
import type { Owned } from "../kernels.js";
import { type Base, scale } from "./given.js";

export function entrywise(base: Base): Pick<Engine, "copy" | "fill" | "combine" | "combination" | "map"> {
  const { kernels: k, counters, own, alike, apart, family, members } = base;
  return {
    copy(Y, X) {
      const y = own(Y, "copy", "Y");
      const x = own(X, "copy", "X");
      apart(Y, X, "copy", "X");
      alike(Y, X, "copy", "Y", "the shape of X");
      const size = X.rows * X.cols;
      counters.entries += size;
      if (size > 0) k.copy(size, x, y);
    },

    fill(Y, a) {
      const y = own(Y, "fill", "Y");
      const size = Y.rows * Y.cols;
      if (size > 0) k.fill(size, a, y);
    },

    combine(Z, a, X, b, Y) {
      const z = own(Z, "combine", "Z");
      const x = own(X, "combine", "X");
      const y = own(Y, "combine", "Y");
      alike(X, Z, "combine", "X", "the shape of Z");
      alike(Y, Z, "combine", "Y", "the shape of Z");
      const size = Z.rows * Z.cols;
      if (size === 0) return;
      counters.entries += size;
      if (a !== 0 && b !== 0) k.combine(size, a, x, b, y, z);
      else if (a !== 0) k.axpby(size, a, x, 0, z);
      else if (b !== 0) k.axpby(size, b, y, 0, z);
      else k.fill(size, 0, z);
    },

    combination(Z, c, Xs, count, b = 0) {
      const z = own(Z, "combination", "Z");
      family(Xs, count, c, Z, "combination");
      for (let i = 0; i < count; i++) apart(Z, Xs[i]!, "combination", "among the X_i");
      const size = Z.rows * Z.cols;
      if (size === 0) return;
      counters.entries += Math.max(1, count) * size;
      if (count === 0) scale(base, size, b, z);
      else k.combination(size, count, c, Xs as readonly Matrix[] as readonly Owned[], b, z);
    },

    map(outputs, chain, inputs) {
      const first = outputs[0] ?? inputs[0];
      if (inputs.length !== chain.inputs || outputs.length !== chain.outputs.length) {
        const counts = `${inputs.length} inputs and ${outputs.length} outputs are given`;
        throw new EngineError(`map: ${counts}, but the chain has ${chain.inputs} and ${chain.outputs.length}.`);
      }
      if (!first) throw new EngineError("map: the chain has neither inputs nor outputs; give it one.");
      members(inputs, inputs.length, first, "map", "input ", "one shape for all");
      members(outputs, outputs.length, first, "map", "output ", "one shape for all");
      for (let i = 0; i < outputs.length; i++) {
        const Y = outputs[i]!;
        if (inputs.includes(Y)) throw new EngineError(`map: output ${i} is also an input; use a second matrix.`);
        if (outputs.indexOf(Y) < i)
          throw new EngineError(`map: output ${i} is also another output; use a second matrix.`);
      }
      const size = first.rows * first.cols;
      counters.entries += chain.code.length * size;
      return size === 0
        ? 0
        : k.map(
            size,
            chain,
            inputs as readonly Matrix[] as readonly Owned[],
            outputs as readonly Matrix[] as readonly Owned[],
          );
    },
  };
}
