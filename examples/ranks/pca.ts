// Data over ranks: principal components. X is the same on every rank, each has its samples Z, and f = −½‖ZX‖²/m is summed over them.
//
//     mpirun -n 2 npx expen solve examples/ranks/pca.ts --n 13 --p 3 --engine mpi-data
import type { Engine, Tall } from "expen";
import { sumOverRanks } from "expen/engines";
import { samples } from "./samples.js";

export default ({ n, p, engine: E }: { n: number; p: number; engine: Engine }) => {
  const { Z, m } = samples(E, n);
  const A = E.operator(Z);
  const Y = E.tall(Z.rows, p);
  return sumOverRanks(E, {
    fg(G: Tall, X: Tall): number {
      A.apply(Y, X);
      A.applyT(G, Y, -1 / m);
      return (-0.5 * E.dot(Y, Y)) / m;
    },
  });
};
