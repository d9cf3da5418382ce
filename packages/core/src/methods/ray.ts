import type { Space } from "@expen/linalg";
import type { Objective } from "../contracts/objective.js";
import type { RayIn, RayOptions } from "../contracts/ray.js";
import { plainPoint } from "../manifolds/point.js";
import { noEvaluations } from "../objective/evaluator.js";
import type { Coordinates } from "./vectors.js";

/** A ray without a point: `restartAt` gives it one, or its owner writes X, f and G. */
export function rayIn<V>(
  E: Space,
  f: Objective,
  coordinates: Coordinates<V>,
  { evaluations = noEvaluations(), keepEuclidean = false, start }: RayOptions = {},
): RayIn<V> {
  const { n, p } = f;
  const { point = (X = E.tall(n, p)) => plainPoint(X) } = coordinates.points ?? {};
  const [x, xt] = [point(), point()];
  const ray: RayIn<V> = {
    objective: f,
    coordinates,
    evaluations,
    x,
    X: x.X,
    G: coordinates.make(),
    f: 0,
    xt,
    Xt: xt.X,
    Gt: coordinates.make(start?.G),
    ft: 0,
    euclideanG: keepEuclidean ? E.tall(n, p) : undefined,
    euclideanGt: keepEuclidean ? E.tall(n, p) : undefined,
    D: coordinates.make(),
    t: 0,
    slopeT: 0,
    f0: 0,
    slope0: 0,
    max: Number.POSITIVE_INFINITY,
    sawNonFinite: false,
    slope: () => coordinates.inner(ray.Gt, ray.D),
    onLargerSpace: undefined,
    begin() {
      ray.f0 = ray.f;
      ray.sawNonFinite = false;
    },
    move() {
      if (coordinates.retract(ray.xt, ray.x, ray.t, ray.D)) return ray.evaluate();
      ray.ft = Number.POSITIVE_INFINITY;
      ray.sawNonFinite = true;
    },
    differentiate(refused = false) {
      ray.slopeT = ray.slope(refused);
    },
    evaluate(known) {
      const G = coordinates.gradientBuffer(ray.Gt);
      if (known && G !== known.G) E.copy(G, known.G);
      ray.ft = known ? known.f : f.fg(G, ray.Xt);
      if (Number.isFinite(ray.ft)) {
        if (ray.euclideanGt) E.copy(ray.euclideanGt, G);
        if (coordinates.toGradient(ray.Gt, ray.xt, G)) ray.onLargerSpace?.();
      } else ray.sawNonFinite = true;
    },
    accept() {
      [ray.x, ray.xt] = [ray.xt, ray.x];
      [ray.X, ray.Xt] = [ray.x.X, ray.xt.X];
      [ray.G, ray.Gt] = [ray.Gt, ray.G];
      [ray.euclideanG, ray.euclideanGt] = [ray.euclideanGt, ray.euclideanG];
      ray.f = ray.ft;
    },
    restartAt(X0, known) {
      E.copy(ray.Xt, X0);
      coordinates.points?.update(ray.xt);
      ray.evaluate(known);
      ray.accept();
    },
  };
  return ray;
}
