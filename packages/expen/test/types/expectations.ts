/** Types as users meet them. Nothing here runs: the compiler reads it, with the sources and with the packed packages. */
import { type Manifold, type Matrix, minimize, product, type Result, sphere, stiefel, type Tall } from "expen";
import { pca } from "expen/apps";
import { type EigsAnswer, eigs, svds } from "expen/eigen";
import { plotConvergence } from "expen/plot";
import { formula, mul, t, trace } from "expen/tape";

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const expectType = <_Same extends true>(): void => undefined;

export async function ofMinimize(): Promise<void> {
  const on = stiefel(4, 2);
  expectType<Equal<typeof on, Manifold<Tall>>>();
  const f = { f: (X: Tall) => X.data[0]!, grad: (G: Tall) => void G.data.fill(0) };
  const result = await minimize(f, { on });
  const plain: Result<Matrix> = result;
  const rows: number[][] = result.X.toRows();
  expectType<Equal<typeof result.fval, number>>();
  const numbers: Float64Array = result.X.data;
  // an engine by its name
  await minimize(f, { on, engine: "wasm", history: true });
  const first = result.history?.[0];
  expectType<Equal<NonNullable<typeof first>["gnorm"], number>>();
  expectType<Equal<ReturnType<typeof plotConvergence>, string>>();
  plotConvergence([result, plain]);
  console.log(rows, numbers);

  // @ts-expect-error: nothing says where X lives
  await minimize(f, {});
  // @ts-expect-error: no option has this name
  await minimize(f, { on, tolerance: 1e-6 });
  // @ts-expect-error: a number is needed
  await minimize(f, { on, tol: "1e-6" });
}

export async function ofProducts(): Promise<void> {
  const on = product({ U: stiefel(5, 2), v: sphere(3) });
  const energy = ({ U, v }: { readonly U: Tall; readonly v: Tall }): number => U.data[0]! * v.data[0]!;
  const { X } = await minimize({ f: energy, grad: () => undefined }, { on });
  const U: Matrix = X.U;
  console.log(U);
  // @ts-expect-error: the product has no such part
  X.w;
}

export async function ofFormulas(): Promise<void> {
  const A = [[2, 1], [1, 2]]; // biome-ignore format: a matrix
  const { X, certificate } = await minimize(
    formula((Y) => trace(mul(t(Y), A, Y))),
    { on: stiefel(2, 1) },
  );
  const plain: Matrix = X;
  console.log(plain);
  if (certificate.level === "global") expectType<Equal<typeof certificate.gapBound, number>>();
}

export async function ofEigenvalues(): Promise<void> {
  const answer = await eigs([[2, 1], [1, 2]], { p: 1 }); // biome-ignore format: a matrix
  expectType<Equal<typeof answer, EigsAnswer>>();
  expectType<Equal<typeof answer.bounds, number[] | undefined>>();
  expectType<Equal<typeof answer.certificate.level, "complete" | "residual" | "none">>();
  await eigs((x) => x.map((v) => 2 * v), { n: 10, p: 1, which: "largest" });
  await eigs({ n: 10, apply: (Y, X) => Y.data.set(X.data) }, 2);
  const { U } = await svds({ data: new Float32Array(6), shape: [3, 2] }, 1);
  const left: number[][] = U.toRows();
  console.log(left);
  // @ts-expect-error: which is one of three words
  await eigs([[1]], { p: 1, which: "LM" });
  // @ts-expect-error: text is no matrix
  await eigs("A", 1);
}

export async function ofApplications(): Promise<void> {
  const { explained } = await pca({ rows: 3, cols: 2, data: new Float64Array(6) }, { p: 1 });
  expectType<Equal<typeof explained, number[]>>();
  // @ts-expect-error: the number of components is missing
  await pca({ rows: 3, cols: 2, data: new Float64Array(6) }, {});
}
