/** V, to which blocks of columns are appended, in panels: tall matrices of some dozens of columns. */
import type { Engine, Small, Tall } from "@expen/linalg";

export interface Panels {
  /** columns so far; those of a panel beyond them are zero */
  readonly size: number;
  clear(): void;
  /** V ← [V, W] */
  append(W: Tall): void;
  /** h ← h + VᵀY (size×cols, by rows), cols the columns of Y */
  contract(h: Float64Array, Y: Tall): void;
  /** Y ← Y − V·(VᵀY), VᵀY added to h; returns ‖VᵀY‖² */
  projectOut(Y: Tall, h?: Float64Array): number;
  /** Y ← V·S for the numbers s of S (size×cols) */
  multiply(Y: Tall, s: Float64Array): void;
  /** V ← V·S for S of size×k */
  rotate(s: Float64Array, k: number): void;
}

/** Small matrices for products with blocks of one width */
interface Width {
  /** VᵀY of one panel, and its numbers */
  readonly H: Small;
  readonly h: Float64Array;
  /** E_j, with which W·E_jᵀ has the columns of W in the place of those from j on, by j */
  readonly places: Map<number, Small>;
}

/** `w`: columns of a panel */
export function panels(E: Engine, n: number, w: number): Panels {
  // made when they are needed
  let [V, spare]: [Tall[], Tall[]] = [[], []];
  const S = E.small(w, w);
  const square = new Float64Array(w * w);
  const widths = new Map<number, Width>();
  let size = 0;
  const used = (): number => Math.ceil(size / w);

  function widthOf(cols: number): Width {
    let width = widths.get(cols);
    if (!width) {
      width = { H: E.small(w, cols), h: new Float64Array(w * cols), places: new Map() };
      widths.set(cols, width);
    }
    return width;
  }

  /** The columns of W that fall into a panel when the first one stands at `at` of it, which may be before its beginning */
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

  /** s, with `cols` columns: rows of panel i and columns from `first` on, as a small matrix */
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

  /** The numbers of V_iᵀY, which are added to sum at their place */
  function contracted({ H, h }: Width, i: number, Y: Tall, sum?: Float64Array): Float64Array {
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
      for (let i = 0; i < used(); i++) contracted(width, i, Y, h);
    },
    projectOut(Y, h) {
      const width = widthOf(Y.cols);
      let sum = 0;
      for (let i = 0; i < used(); i++) {
        const products = contracted(width, i, Y, h);
        for (let k = 0; k < products.length; k++) sum += products[k]! ** 2;
        E.mul(Y, V[i]!, width.H, -1, 1);
      }
      return sum;
    },
    multiply(Y, s) {
      const { H, h } = widthOf(Y.cols);
      for (let i = 0; i < used(); i++) E.mul(Y, V[i]!, piece(H, h, s, Y.cols, i, 0), 1, i === 0 ? 0 : 1);
    },
    rotate(s, k) {
      const count = Math.ceil(k / w);
      for (let j = 0; j < count; j++) {
        spare[j] ??= E.tall(n, w);
        for (let i = 0; i < used(); i++) {
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
