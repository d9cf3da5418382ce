// What an answer is worth: stationary, second-order, or proved global. A saddle is left without being asked.
import { type Matrix, minimizeStiefel, mul, scale, t, trace } from "expen";

const A = [
  [1, 0, 0],
  [0, 2, 0],
  [0, 0, 3],
];
const f = { tape: (X: Parameters<typeof t>[0]) => scale(0.5, trace(mul(t(X), A, X))) };
const saddle: Matrix = { rows: 3, cols: 1, data: Float64Array.of(0, 1, 0) }; // the middle eigenvector

const stuck = await minimizeStiefel(f, { n: 3, p: 1, start: saddle, certificate: "stationary" });
console.log(`f = ${stuck.fval}: ${stuck.certificate.level}`);

const free = await minimizeStiefel(f, {
  n: 3,
  p: 1,
  start: saddle,
  on: { saddle: (e) => console.log(`saddle at f = ${e.fval}, curvature ${e.curvature.toFixed(3)}`) },
});
console.log(
  `f = ${free.fval.toFixed(6)}: ${free.certificate.level}, lowest curvature ${free.certificate.curvature?.lowest.toFixed(3)}`,
);

// declared as what it is, a quadratic, it can be proved
const proved = await minimizeStiefel(
  (E) => {
    const { apply } = E.operator({ rows: 3, cols: 3, data: Float64Array.from(A.flat()) });
    return { ...f, quadratic: { apply } };
  },
  { n: 3, p: 1 },
);
console.log(`f = ${proved.fval.toFixed(6)}: ${proved.certificate.level}`);
