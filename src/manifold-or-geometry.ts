/**
 * Two names that mean a manifold, stiefel(n, p), and meant a geometry on an engine before there were manifolds, stiefel(E, n, p): both
 * ways to call them stay.
 */
import type { Manifold } from "./constraints/manifold.js";
import * as manifolds from "./constraints/manifolds.js";
import { euclidean as euclideanGeometry } from "./geometry/euclidean.js";
import { type StiefelGeometry, stiefel as stiefelGeometry } from "./geometry/stiefel.js";
import type { Engine, Geometry } from "./types.js";

type GeometryOptions = Parameters<typeof stiefelGeometry>[3];

/** Orthonormal columns, XᵀX = I: for `minimize` */
export function stiefel(n: number, p: number): Manifold;
/** The geometry of them on an engine: for `trialRay` */
export function stiefel(E: Engine, n: number, p: number, o?: GeometryOptions): StiefelGeometry;
export function stiefel(first: number | Engine, second: number, third?: number, o?: GeometryOptions) {
  return typeof first === "number" ? manifolds.stiefel(first, second) : stiefelGeometry(first, second, third!, o);
}

/** No constraint: for `minimize` */
export function euclidean(n: number, p?: number): Manifold;
/** The geometry of ℝⁿˣᵖ on an engine: for `trialRay` */
export function euclidean(E: Engine): Geometry;
export function euclidean(first: number | Engine, p?: number) {
  return typeof first === "number" ? manifolds.euclidean(first, p) : euclideanGeometry(first);
}
