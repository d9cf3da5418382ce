// Events during a run, and two ways to end it early: a signal and a rule.
import { minimize, stiefel, stop } from "expen";
import { noeig } from "expen/problems";

const [n, p] = [400, 8];
const make = (E: Parameters<typeof noeig>[0]) => noeig(E, { n, p }).objective;

const full = await minimize(make, {
  on: stiefel(n, p),
  solver: "expen-lbfgs",
  // this solver adapts β in stages
  events: {
    iteration: (s) =>
      s.k % 25 === 0 && console.log(`k = ${s.k}: h = ${s.f.toFixed(6)}, ‖∇h‖ = ${s.gnorm.toExponential(1)}`),
    stage: (e) => console.log(`stage ${e.stage}: β was ${e.beta.toFixed(3)}`),
    end: (r) => console.log(`end: ${r.reason.text}`),
  },
});

const controller = new AbortController();
const aborted = await minimize(make, {
  on: stiefel(n, p),
  signal: controller.signal,
  observe: (s) => s.k === 10 && controller.abort(),
});
console.log(
  `${aborted.status}: f = ${aborted.fval.toFixed(4)} at the projected point, minimum ${full.fval.toFixed(4)}`,
);

const early = await minimize(make, { on: stiefel(n, p), stop: stop.valueChangeBelow(1e-4) });
console.log(`stopped by the change of the value: ${early.iterations} of ${full.iterations} iterations`);
