// Certificates: stationary, second-order, or a proved global minimum. By default a run leaves saddle points.
import { type Matrix, minimize, stiefel } from "expen";
import { add, type Expr, formula, mul, pow, scale, sum, t, trace } from "expen/tape";

const A = [
  [1, 0, 0],
  [0, 2, 0],
  [0, 0, 3],
];
const energy = (X: Expr) => scale(0.5, trace(mul(t(X), A, X)));
const f = formula(energy);
const saddle: Matrix = { rows: 3, cols: 1, data: Float64Array.of(0, 1, 0) }; // the middle eigenvector

const stuck = await minimize(f, { on: stiefel(3, 1), start: saddle, certificate: "stationary" });
console.log(`f = ${stuck.fval}: ${stuck.certificate.level}`);

const free = await minimize(f, {
  on: stiefel(3, 1),
  start: saddle,
  events: { saddle: (e) => console.log(`saddle at f = ${e.fval}, curvature ${e.curvature.toFixed(3)}`) },
});
// the formula is recognised as a quadratic form, whose minimum is proved to be global
console.log(`f = ${free.fval.toFixed(6)}: ${free.certificate.level}`);

const other = formula((X: Expr) => add(energy(X), scale(0.1, sum(pow(X, 4)))));
const { fval, certificate } = await minimize(other, { on: stiefel(3, 1) });
console.log(
  `f = ${fval.toFixed(6)}: ${certificate.level}, lowest curvature ${certificate.curvature?.lowest.toFixed(3)}`,
);
