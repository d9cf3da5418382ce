import type { Engine, Tall } from "@expen/linalg";
import { jsEngine } from "@expen/linalg/engine";
import type { Manifold, Plain, PointLike, View } from "../contracts/manifold.js";
import { requireManifold } from "../manifolds/required-manifold.js";
import { plain } from "../manifolds/view.js";
import { readPoint } from "./given-start.js";

/**
 * The point of a manifold that is nearest to Z: the polar factor for orthonormal columns, real or complex, and for XᵀBX = I in the inner
 * product of B, the nearest rotation, columns divided by their lengths, each part of a product by itself. If Z has lower rank, one of
 * several nearest points.
 */
export function nearestPoint<P extends View = Tall>(
  on: Manifold<P>,
  Z: PointLike<P>,
  engine: Engine = jsEngine(),
): Plain<P> {
  requireManifold("nearestPoint: the manifold", on);
  const domain = on.bind(engine);
  if (domain.chart) throw new TypeError(`nearestPoint: ${on.text} has no nearest points here; it is known by squares.`);
  if (domain.on.traits.singularity) {
    throw new RangeError(
      `nearestPoint: ${on.text} has no formula for it; minimise ½‖X − Z‖², whose gradient is X − Z.`,
    );
  }
  const X = readPoint(domain, Z as View, "nearestPoint: Z");
  const y = domain.on.point();
  domain.on.project(y, X);
  return plain(domain, y.X) as unknown as Plain<P>;
}
