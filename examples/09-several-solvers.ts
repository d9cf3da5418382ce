// The same problem with several methods, from the same start and with the same certificate.
import { minimize, type SolverName, stiefel } from "expen";
import { jsEngine } from "expen/engines";
import { brockett } from "expen/problems";

const E = jsEngine();
const [n, p] = [100, 5];
const problem = brockett(E, { n, p, seed: 7 });
const optimum = problem.optimum!; // a closed form: paired eigenvalues of B and C

const names: SolverName[] = ["auto", "expen-cg", "expen-newton", "rcg", "rlbfgs", "wen-yin", "pcal", "landing"];
for (const solver of names) {
  const r = await minimize(problem.objective, { on: stiefel(n, p), engine: E, solver, optimum, check: false });
  const work = `${r.iterations} iterations, ${r.evaluations.grad} gradients, ${r.evaluations.hvp} Hessian products`;
  console.log(`${solver.padEnd(13)} f − f* = ${r.gap!.toExponential(1)}  ${r.certificate.level}  ${work}`);
}
