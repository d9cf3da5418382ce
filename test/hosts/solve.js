import { minimize, openEngine, stiefel } from "expen";

/** The two leading eigenvectors of Diag(1, 1/2, 1/3, …): f(X) = −½ tr(XᵀAX) is −¾ there. */
export async function solve(name, threads) {
  const engine = await openEngine(name, { threads });
  const a = (i) => 1 / (1 + Math.floor(i / 2));
  const f = (X) => X.data.reduce((sum, x, i) => sum - 0.5 * a(i) * x * x, 0);
  const grad = (G, X) => G.data.set(X.data.map((x, i) => -a(i) * x));
  const { fval, certificate } = await minimize({ f, grad }, { on: stiefel(30, 2), engine });
  engine.dispose();
  return `${engine.name}, ${certificate.level}, f = ${fval.toFixed(6)}`;
}
