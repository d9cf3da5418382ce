/** The `js` engine: plain loops that define every operation. */

import type { Engine } from "../contracts/engine.js";
import { digits } from "../numbers.js";
import { mapTiles } from "./elementwise/tiles.js";
import { EngineError, type Kernels, type Memory, makeEngine, type Owned } from "./engine.js";

/** Reading and writing of matrices in host memory */
export const hostNumbers: Pick<Memory, "read" | "write"> = {
  read: ({ data }, into) => into.set(data),
  write({ data }, numbers) {
    if (typeof numbers === "function") for (let i = 0; i < data.length; i++) data[i] = numbers();
    else data.set(numbers);
  },
};

/** Matrices in JavaScript memory, freed by the garbage collector */
export function heapMemory(): Memory {
  return {
    ...hostNumbers,
    alive: ({ rows, cols, data }) => data.length === rows * cols,
    allocate(rows, cols, owner, kind): Owned {
      try {
        return { rows, cols, data: new Float64Array(rows * cols), owner, at: 0, kind };
      } catch {
        const gib = digits((rows * cols * 8) / 2 ** 30);
        throw new EngineError(`matrix: no memory for ${rows}×${cols} doubles (${gib} GiB); use a smaller n or p.`);
      }
    },
    lend: (rows, cols, owner, kind, data) => ({ rows, cols, data, owner, at: 0, kind, lent: true }),
    dispose() {},
  };
}

export const jsKernels: Kernels = {
  gemm(m, n, k, a, A, tA, B, tB, b, C) {
    const x = A.data;
    const y = B.data;
    const c = C.data;
    const ai = tA ? 1 : k;
    const al = tA ? m : 1;
    const bl = tB ? 1 : n;
    const bj = tB ? k : 1;
    const put = (at: number, sum: number): void => {
      c[at] = b === 0 ? a * sum : a * sum + b * c[at]!;
    };
    // Two rows by two columns: four independent sums hide the latency of additions. Each is in the order of l.
    for (let i = 0; i < m; i += 2) {
      const below = i + 1 < m;
      const p1 = below ? ai : 0;
      for (let j = 0; j < n; j += 2) {
        const beside = j + 1 < n;
        const q1 = beside ? bj : 0;
        let s00 = 0;
        let s01 = 0;
        let s10 = 0;
        let s11 = 0;
        for (let l = 0, p = i * ai, q = j * bj; l < k; l++, p += al, q += bl) {
          const x0 = x[p]!;
          const x1 = x[p + p1]!;
          const y0 = y[q]!;
          const y1 = y[q + q1]!;
          s00 += x0 * y0;
          s01 += x0 * y1;
          s10 += x1 * y0;
          s11 += x1 * y1;
        }
        const at = i * n + j;
        put(at, s00);
        if (beside) put(at + 1, s01);
        if (below) put(at + n, s10);
        if (below && beside) put(at + n + 1, s11);
      }
    }
  },

  gram(n, p, A, b, S) {
    const x = A.data;
    const s = S.data;
    for (let i = 0; i < p; i++) {
      for (let j = i; j < p; j++) {
        let t = 0;
        for (let l = 0; l < n; l++) t += x[l * p + i]! * x[l * p + j]!;
        if (b !== 0) t += b * s[i * p + j]!;
        s[i * p + j] = t;
        s[j * p + i] = t;
      }
    }
  },

  dot(size, X, Y) {
    const x = X.data;
    const y = Y.data;
    let r = 0;
    for (let i = 0; i < size; i++) r += x[i]! * y[i]!;
    return r;
  },

  dots(size, count, Xs, Y, r) {
    const y = Y.data;
    for (let l = 0; l < count; l++) {
      const x = Xs[l]!.data;
      let s = 0;
      for (let i = 0; i < size; i++) s += x[i]! * y[i]!;
      r[l] = s;
    }
  },

  copy(_size, X, Y) {
    Y.data.set(X.data);
  },

  fill(_size, a, Y) {
    Y.data.fill(a);
  },

  axpby(size, a, X, b, Y) {
    const x = X.data;
    const y = Y.data;
    for (let i = 0; i < size; i++) y[i] = b === 0 ? a * x[i]! : a * x[i]! + b * y[i]!;
  },

  combine(size, a, X, b, Y, Z) {
    const x = X.data;
    const y = Y.data;
    const z = Z.data;
    for (let i = 0; i < size; i++) z[i] = a * x[i]! + b * y[i]!;
  },

  combination(size, count, c, Xs, b, Z) {
    const z = Z.data;
    for (let l = 0; l < count; l++) {
      const x = Xs[l]!.data;
      const a = c[l]!;
      const d = l === 0 ? b : 1;
      for (let i = 0; i < size; i++) z[i] = d === 0 ? a * x[i]! : a * x[i]! + d * z[i]!;
    }
  },

  map: mapTiles,

  mirror(p, { data: s }) {
    for (let i = 1; i < p; i++) for (let j = 0; j < i; j++) s[i * p + j] = s[j * p + i]!;
  },

  symmetrize(p, S) {
    const s = S.data;
    for (let i = 0; i < p; i++) {
      for (let j = 0; j < i; j++) {
        const mean = 0.5 * (s[i * p + j]! + s[j * p + i]!);
        s[i * p + j] = mean;
        s[j * p + i] = mean;
      }
    }
  },

  addDiagonal(p, a, S) {
    const s = S.data;
    for (let i = 0; i < p; i++) s[i * p + i]! += a;
  },

  rowDots(n, p, X, Y, r) {
    const x = X.data;
    const y = Y.data;
    const d = r.data;
    for (let i = 0; i < n; i++) {
      let s = 0;
      for (let j = i * p; j < (i + 1) * p; j++) s += x[j]! * y[j]!;
      d[i] = s;
    }
  },

  scaleRows(n, p, a, r, X, b, Y) {
    const x = X.data;
    const y = Y.data;
    for (let i = 0; i < n; i++) {
      const t = a * r.data[i]!;
      for (let j = i * p; j < (i + 1) * p; j++) y[j] = b === 0 ? t * x[j]! : t * x[j]! + b * y[j]!;
    }
  },

  tridiagonal(n, p, a, lower, main, upper, X, b, Y) {
    const x = X.data;
    const y = Y.data;
    for (let i = 0; i < n; i++) {
      const l = lower.data[i]!;
      const d = main.data[i]!;
      const u = upper.data[i]!;
      for (let j = i * p; j < (i + 1) * p; j++) {
        let t = d * x[j]!;
        if (i > 0) t += l * x[j - p]!;
        if (i < n - 1) t += u * x[j + p]!;
        y[j] = b === 0 ? a * t : a * t + b * y[j]!;
      }
    }
  },

  // T = (I + Diag(lower) shifted)·(bidiagonal with 1/pivot on the diagonal and upper beside it), see arrays/tridiagonal.ts
  tridiagonalSolve(n, p, lower, pivot, upper, X, Y) {
    const x = X.data;
    const y = Y.data;
    for (let j = 0; j < p; j++) y[j] = x[j]!;
    for (let i = 1; i < n; i++) {
      const l = lower.data[i]!;
      for (let j = i * p; j < (i + 1) * p; j++) y[j] = x[j]! - l * y[j - p]!;
    }
    for (let j = (n - 1) * p; j < n * p; j++) y[j]! *= pivot.data[n - 1]!;
    for (let i = n - 2; i >= 0; i--) {
      const w = pivot.data[i]!;
      const u = upper.data[i]!;
      for (let j = i * p; j < (i + 1) * p; j++) y[j] = w * (y[j]! - u * y[j + p]!);
    }
  },
};

/** The engine of plain loops, which defines every operation */
export function jsEngine(): Engine {
  return makeEngine({
    name: "js",
    description: "plain JavaScript loops, 1 thread",
    memory: heapMemory(),
    kernels: jsKernels,
  });
}
