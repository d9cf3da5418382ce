// The three smallest eigenvalues of A from f(X) = tr(XᵀAX) alone: its derivatives come from the formula.
import { minimize, stiefel } from "expen";
import { formula, mul, t, trace } from "expen/tape";

const n = 50;
const A = Array.from({ length: n }, (_, i) =>
  Array.from({ length: n }, (_, j) => (i === j ? i + 1 : 1 / (1 + Math.abs(i - j)))),
);

const result = await minimize(
  formula((X) => trace(mul(t(X), A, X))),
  { on: stiefel(n, 3) },
);

console.log(`${result.status} after ${result.iterations} iterations: ${result.reason.text}`);
console.log(`sum of the three smallest eigenvalues: ${result.fval.toFixed(8)}`);
console.log(
  `gradient norm ${result.stationarity.toExponential(1)}, ‖XᵀX − I‖ = ${result.feasibility.toExponential(1)}`,
);
console.log(result.certificate.text);
