import type { Escape } from "../contracts/certificate.js";
import type { Run } from "./context.js";

/** X ← a point below the saddle of value f0, by shrinking steps both ways along the escape direction; false if there is none. */
export function leaveSaddle({ E, F, X, project, certifying, elapsed }: Run, direction: Escape, f0: number): boolean {
  const [V, Z, saddle] = [E.tall(F.n, F.p), E.tall(F.n, F.p), E.tall(F.n, F.p)];
  E.copy(saddle, X);
  const asked = elapsed();
  direction(V);
  certifying.seconds += elapsed() - asked;
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
