// ExPen lets any unconstrained optimizer work with orthonormal columns: here the conjugate gradients of the package fmin.
import { certify, randomStart } from "expen";
import { jsEngine, polar } from "expen/engines";
import { expen, flatten } from "expen/penalty";
import { compile, mul, scale, t, trace } from "expen/tape";
import "fmin"; // defines a global variable

type Minimise = (
  fg: (x: number[], gradient: number[]) => number,
  start: number[],
  options: { maxIterations: number },
) => { x: number[]; fx: number };
const { fmin } = globalThis as unknown as { fmin: { conjugateGradient: Minimise } };

const [n, p] = [20, 3];
const E = jsEngine();
const B = Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => (i === j ? i - 10 : 0.5)));

const f = compile(E, { n, p }, (X) => scale(0.5, trace(mul(t(X), B, X))));
const h = flatten(E, expen(E, f, 10)); // β = 10 is above 1.5·λmax of the multiplier, which is negative here

const start = Array.from(randomStart(E, n, p, 1).data);
const { x, fx } = fmin.conjugateGradient((x, gradient) => h.fg(gradient, x), start, { maxIterations: 500 });

const [X, Y] = [E.tall(n, p), E.tall(n, p)];
X.data.set(x);
polar(E, n, p)(Y, X);
const { measures, certificate } = await certify(E, f, Y, { tolerance: 1e-4 });
console.log(`fmin: h = ${fx.toFixed(8)}, after the projection f = ${measures.fval.toFixed(8)}`);
console.log(`gradient norm ${measures.stationarity.toExponential(1)}: ${certificate.level}`);
