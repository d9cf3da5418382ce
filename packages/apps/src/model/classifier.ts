/** Classes of new samples: the nearest mean of a class among the scores */
import type { HostMatrix, Label, Matrix, MatrixLike } from "@expen/linalg";
import type { Model } from "./linear.js";
import { ofMaps, prototypeOf } from "./prototypes.js";

/** A model of classes */
export interface Classifier extends Model {
  readonly classes: readonly Label[];
  /** classes×p: the mean of each class in the coordinates of `transform` */
  readonly centroids: HostMatrix;
  /** The class of each sample, by the nearest mean of a class in the coordinates of `transform` */
  predict(rows: MatrixLike): Label[];
}

const methods = {
  predict(rows: MatrixLike): Label[] {
    const { classes, centroids, transform } = this as unknown as Classifier;
    const F = transform(rows);
    return Array.from({ length: F.rows }, (_, i) => {
      const squares = classes.map((_, c) => distance(F, i, centroids, c));
      return classes[squares.indexOf(Math.min(...squares))]!;
    });
  },
};

/** ‖row i of A − row c of B‖² */
function distance(A: Matrix, i: number, B: Matrix, c: number): number {
  let square = 0;
  for (let j = 0; j < A.cols; j++) square += (A.data[i * A.cols + j]! - B.data[c * A.cols + j]!) ** 2;
  return square;
}

/** The methods as a prototype */
export const ofClasses: object = /* @__PURE__ */ prototypeOf(methods, ofMaps);
