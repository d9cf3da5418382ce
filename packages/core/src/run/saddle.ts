import type { Escape } from "../contracts/certificate.js";
import type { Run } from "./run.js";

/** X ← a point with f(X) < f0, the value at the saddle, by shrinking steps both ways along the escape direction; false if none is lower. */
export function leaveSaddle({ E, F, X, project, certifying, elapsed }: Run, direction: Escape, f0: number): boolean {
  const [V, Z, saddle] = [E.tall(F.n, F.p), E.tall(F.n, F.p), E.tall(F.n, F.p)];
  E.copy(saddle, X);
  const before = elapsed();
  direction(V);
  certifying.seconds += elapsed() - before;
  for (let t = 0.5; t > 1e-4; t /= 2) {
    for (const sign of [1, -1]) {
      E.combine(Z, 1, saddle, sign * t, V);
      project(Z);
      if (F.f(X) < f0) return true;
    }
  }
  E.copy(X, saddle);
  return false;
}
