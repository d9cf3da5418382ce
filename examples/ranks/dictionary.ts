// Data over ranks: an orthonormal dictionary by f = −¼Σ(z·x_j)⁴/m over samples z and atoms x_j, summed over ranks.
//
//     mpirun -n 2 npx expen solve examples/ranks/dictionary.ts --n 13 --p 13 --engine mpi-data
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
        f -= T[k]! ** 4 / (4 * m);
        T[k] = T[k]! ** 3;
      }
      E.write(Y, T);
      A.applyT(G, Y, -1 / m);
      return f;
    },
  });
};
