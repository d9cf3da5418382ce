/** Examples of the reference for `expen/eigen`; site/build/examples.ts says how they are written. */
import { constantTridiagonal } from "expen";
import { eigh, eigs, eigsh, svd, svds } from "expen/eigen";

// eigs, eigsh
{
  // −1, 2, −1: the eigenvalues are 2 − 2·cos(kπ/(n + 1))
  const n = 500;
  const A = constantTridiagonal(n, -1, 2, -1);
  const { values, certificate } = await eigs(A, { p: 3 });
  console.log(values.every((v, k) => Math.abs(v - 2 + 2 * Math.cos(((k + 1) * Math.PI) / (n + 1))) < 1e-9)); // true
  console.log(certificate.level, eigsh === eigs); // complete true
}

// eigh
{
  const { values } = await eigh([[2, 1], [1, 2]]); // biome-ignore format: a matrix
  console.log(Array.from(values, (v) => v.toFixed(6)).join(" ")); // 1.000000 3.000000
}

// svds, svd
{
  const A = [[3, 0], [4, 5]]; // biome-ignore format: a matrix
  const [first, all] = [await svds(A, 1), await svd(A)];
  console.log(Array.from(first.values, (v) => v.toFixed(6)).join(" ")); // 6.708204
  console.log(Array.from(all.values, (v) => v.toFixed(6)).join(" ")); // 6.708204 2.236068
}
