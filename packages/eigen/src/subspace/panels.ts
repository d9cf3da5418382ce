/** A matrix V to which blocks of columns are appended, stored in panels: tall matrices of some dozens of columns. */
import type { Engine, Small, Tall } from "@expen/linalg";

/** Columns of a panel: enough for products at full speed, few enough that a partly filled one costs little */
export const PANEL_COLUMNS = 48;
/** Most passes of Gram–Schmidt; two are enough (Parlett, section 6.9), except for columns of roundoff. */
export const MOST_PASSES = 4;

export interface Panels {
  /** number of columns; further columns of the last panel are zero */
  readonly size: number;
  clear(): void;
  /** V ← [V, W] */
  append(W: Tall): void;
  /** h ← h + VᵀY (size×cols, by rows), cols the columns of Y */
  contract(h: Float64Array, Y: Tall): void;
  /** Y ← Y − V·(VᵀY), VᵀY added to h; returns ‖VᵀY‖² */
  projectOut(Y: Tall, h?: Float64Array): number;
  /** Y ← V·S for the entries s of S (size×cols) */
  multiply(Y: Tall, s: Float64Array): void;
  /** V ← V·S for S of size×k */
  rotate(s: Float64Array, k: number): void;
}

/** Small matrices for products with blocks of one width */
interface Width {
  /** VᵀY of one panel, and its entries */
  readonly H: Small;
  readonly h: Float64Array;
  /** by j: E_j, for which W·E_j has the columns of W from column j on */
  readonly places: Map<number, Small>;
}

/** `w` is the number of columns of a panel. */
export function panels(E: Engine, n: number, w: number): Panels {
  // allocated on demand
  let [V, spare]: [Tall[], Tall[]] = [[], []];
  const S = E.small(w, w);
  const square = new Float64Array(w * w);
  const widths = new Map<number, Width>();
  let size = 0;
  const panelCount = (): number => Math.ceil(size / w);

  function widthOf(cols: number): Width {
    let width = widths.get(cols);
    if (!width) {
      width = { H: E.small(w, cols), h: new Float64Array(w * cols), places: new Map() };
      widths.set(cols, width);
    }
    return width;
  }

  /** The cols×w matrix that moves the columns of W to those from `at` on of a panel; at < 0 if W begins in the panel before */
  function placeOf({ cols }: Tall, at: number): Small {
    const { places } = widthOf(cols);
    let P = places.get(at);
    if (!P) {
      const numbers = new Float64Array(cols * w);
      for (let k = Math.max(0, -at); k < Math.min(cols, w - at); k++) numbers[k * w + at + k] = 1;
      places.set(at, (P = E.small(cols, w, numbers)));
    }
    return P;
  }

  /** M ← the rows of panel i and the columns from `first` on of s, which has `cols` columns */
  function piece(M: Small, numbers: Float64Array, s: Float64Array, cols: number, i: number, first: number): Small {
    const width = M.cols;
    numbers.fill(0);
    for (let r = i * w; r < Math.min(size, (i + 1) * w); r++) {
      for (let c = first; c < Math.min(cols, first + width); c++)
        numbers[(r - i * w) * width + c - first] = s[r * cols + c]!;
    }
    E.write(M, numbers);
    return M;
  }

  /** H ← V_iᵀY, added to the rows of panel i in `sum`; returns its entries */
  function contractPanel({ H, h }: Width, i: number, Y: Tall, sum?: Float64Array): Float64Array {
    const { cols } = Y;
    E.tmul(H, V[i]!, Y);
    E.read(H, h);
    const count = Math.min(w, size - i * w) * cols;
    if (sum) for (let k = 0; k < count; k++) sum[i * w * cols + k]! += h[k]!;
    return h;
  }

  return {
    get size() {
      return size;
    },
    clear() {
      for (const panel of V) E.fill(panel, 0);
      size = 0;
    },
    append(W) {
      const end = size + W.cols;
      for (let i = Math.floor(size / w); i * w < end; i++) {
        V[i] ??= E.tall(n, w);
        const at = size - i * w;
        if (E.host && at >= 0 && at + W.cols <= w) E.host.put(V[i]!, W, at);
        else E.mul(V[i]!, W, placeOf(W, at), 1, 1);
      }
      size = end;
    },
    contract(h, Y) {
      const width = widthOf(Y.cols);
      for (let i = 0; i < panelCount(); i++) contractPanel(width, i, Y, h);
    },
    projectOut(Y, h) {
      const width = widthOf(Y.cols);
      let sum = 0;
      for (let i = 0; i < panelCount(); i++) {
        const products = contractPanel(width, i, Y, h);
        for (let k = 0; k < products.length; k++) sum += products[k]! ** 2;
        E.mul(Y, V[i]!, width.H, -1, 1);
      }
      return sum;
    },
    multiply(Y, s) {
      const { H, h } = widthOf(Y.cols);
      for (let i = 0; i < panelCount(); i++) E.mul(Y, V[i]!, piece(H, h, s, Y.cols, i, 0), 1, i === 0 ? 0 : 1);
    },
    rotate(s, k) {
      const count = Math.ceil(k / w);
      for (let j = 0; j < count; j++) {
        spare[j] ??= E.tall(n, w);
        for (let i = 0; i < panelCount(); i++) {
          E.mul(spare[j]!, V[i]!, piece(S, square, s, k, i, j * w), 1, i === 0 ? 0 : 1);
        }
      }
      const old = V.slice(0, count);
      V = [...spare.slice(0, count), ...V.slice(count)];
      spare = [...old, ...spare.slice(count)];
      for (const panel of V.slice(count)) E.fill(panel, 0);
      size = k;
    },
  };
}
