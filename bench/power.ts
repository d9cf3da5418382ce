/** `npm run bench:power`: rotations side by side as a power, beside limited-memory BFGS on it and a product with a name for each; evaluations, ms. */
import { type Manifold, minimize, openEngine, product, random, specialOrthogonal } from "expen";
import { power } from "expen/manifolds";
import { add, type Expr, formula, inner, scale, square } from "expen/tape";

const { normal, uniform } = random(1, "power");
const engine = await openEngine("wasm");
const cube = (k: number, numbers: () => number) => ({
  rows: 3 * k,
  cols: 3,
  data: Float64Array.from({ length: 9 * k }, numbers),
});
/** ⟨A, X⟩ + 0.3·⟨W, X⁴⟩ entry by entry */
const term = (A: ReturnType<typeof cube>, W: ReturnType<typeof cube>, X: Expr) =>
  add(inner(A, X), scale(0.3, inner(W, square(square(X)))));

async function race(title: string, f: ReturnType<typeof formula>, on: Manifold, solver?: "rlbfgs"): Promise<void> {
  const begin = performance.now();
  const run = await minimize(f, {
    on,
    engine,
    certificate: "stationary",
    maxIterations: 5000,
    ...(solver && { solver }),
  });
  const milliseconds = Math.round(performance.now() - begin);
  console.log(`${title}: ${run.status}, ${run.evaluations.f} evaluations, ${milliseconds} ms`);
}

for (const k of [100, 1000, 10_000]) {
  for (const decades of [0, 3]) {
    const sizes = Float64Array.from({ length: k }, () => 10 ** (decades * (uniform() - 0.5)));
    let at = 0;
    const sized = (of: () => number) => () => sizes[Math.floor(at++ / 9) % k]! * of();
    const [A, W] = [
      cube(k, sized(normal)),
      cube(
        k,
        sized(() => 1 + normal() / 2),
      ),
    ];
    const f = formula((X: Expr) => term(A, W, X));
    const title = `${k} rotations, terms over ${decades} decades`;
    await race(`${title}, power`, f, power(specialOrthogonal(3), k));
    if (k < 10_000) await race(`${title}, power, rlbfgs`, f, power(specialOrthogonal(3), k), "rlbfgs");
  }
}
for (const k of [10, 100]) {
  const names = Array.from({ length: k }, (_, i) => `X${i}`);
  const data = names.map(() => [cube(1, normal), cube(1, () => 1 + normal() / 2)] as const);
  const f = formula((X: Record<string, Expr>) => add(...names.map((name, i) => term(...data[i]!, X[name]!))));
  const on = product(Object.fromEntries(names.map((name) => [name, specialOrthogonal(3)])));
  await race(`${k} rotations, a product with ${k} names`, f, on as unknown as Manifold);
}
engine.dispose();
