/** The methods of an alignment: a similarity of points, a ↦ scale·a·R + t */
import { type HostMatrix, hostMatrix, type Matrix, type MatrixLike, ProblemError } from "@expen/linalg";
import { times } from "./affine.js";
import { documentOf, type ModelDocument } from "./document.js";
import type { Fields } from "./linear.js";
import { prototypeOf } from "./prototypes.js";
import { rowsFor } from "./rows.js";

/** A similarity that moves other points as it moved the source */
export interface Alignment {
  readonly kind: "align";
  /** The images of points, one a row: scale·points·rotation + 1·translationᵀ */
  apply(points: MatrixLike): HostMatrix;
  /** The points whose images these are */
  applyInverse(points: MatrixLike): HostMatrix;
  /**
   * The 4×4 matrix of the similarity for columns of coordinates, by columns, as WebGL and three.js want it; in two dimensions z stays.
   *
   *     mesh.applyMatrix4(new THREE.Matrix4().fromArray(alignment.matrix4()))
   */
  matrix4(): number[];
  /** All but the moved points; `Model.fromJSON` reads it. */
  toJSON(): ModelDocument;
}

interface Similarity {
  readonly rotation: Matrix;
  readonly scale: number;
  readonly translation: Float64Array;
}

const methods = {
  apply(source: MatrixLike): HostMatrix {
    const { rotation: R, scale, translation } = this as unknown as Similarity;
    const d = R.rows;
    const moved = times(rowsFor("align: apply", source, d), R);
    return hostMatrix({ ...moved, data: moved.data.map((v, k) => scale * v + translation[k % d]!) });
  },
  applyInverse(source: MatrixLike): HostMatrix {
    const { rotation: R, scale, translation } = this as unknown as Similarity;
    if (scale === 0)
      throw new ProblemError("align: the scale is 0, so that all points have one image; it has no inverse.");
    const d = R.rows;
    const { rows, data } = rowsFor("align: applyInverse", source, d);
    const back = { rows, cols: d, data: data.map((v, k) => (v - translation[k % d]!) / scale) };
    return hostMatrix(times(back, transposed(R)));
  },
  matrix4(): number[] {
    const { rotation: R, scale, translation } = this as unknown as Similarity;
    const d = R.rows;
    if (d > 3)
      throw new ProblemError(`align: the points have ${d} coordinates; a 4×4 matrix is of points with 2 or 3.`);
    // column j of the matrix is the image of e_j, scale·(row j of R)
    const entry = (i: number, j: number): number => {
      if (i < d && j < d) return scale * R.data[j * d + i]!;
      if (i < d && j === 3) return translation[i]!;
      return i === j ? 1 : 0;
    };
    return Array.from({ length: 16 }, (_, k) => entry(k % 4, Math.floor(k / 4)));
  },
  toJSON(): ModelDocument {
    return documentOf(this as unknown as Fields);
  },
};

function transposed({ rows: n, data }: Matrix): Matrix {
  return { rows: n, cols: n, data: data.map((_, k) => data[(k % n) * n + Math.floor(k / n)]!) };
}

/** The methods as a prototype */
export const ofAlignment: object = /* @__PURE__ */ prototypeOf(methods);
