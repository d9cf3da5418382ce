// Data over ranks: independent components by f = −Σ log cosh(z·x_j)/m over samples z and columns x_j, summed over ranks.
//
//     mpirun -n 2 npx expen solve examples/ranks/ica.ts --n 13 --p 3 --engine mpi-data
import { type Engine, sumOverRanks, type Tall } from "expen";
import { samples } from "./samples.js";

export default ({ n, p, engine: E }: { n: number; p: number; engine: Engine }) => {
  const { Z, m } = samples(E, n);
  const A = E.operator(Z);
  const [Y, T] = [E.tall(Z.rows, p), new Float64Array(Z.rows * p)];
  return sumOverRanks(E, {
    fg(G: Tall, X: Tall): number {
      A.apply(Y, X);
      E.read(Y, T);
      let f = 0;
      for (let k = 0; k < T.length; k++) {
        const y = Math.abs(T[k]!);
        f -= (y + Math.log1p(Math.exp(-2 * y)) - Math.LN2) / m;
        T[k] = Math.tanh(T[k]!);
      }
      E.write(Y, T);
      A.applyT(G, Y, -1 / m);
      return f;
    },
  });
};
