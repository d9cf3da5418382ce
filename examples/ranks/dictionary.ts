// Data over ranks: an orthonormal dictionary by f = −¼Σ(z·x_j)⁴/m over samples z and atoms x_j, summed over ranks.
//
//     mpirun -n 2 npx expen solve examples/ranks/dictionary.ts --n 13 --p 13 --engine mpi-data
import type { Engine } from "expen";
import { contrast } from "./samples.js";

export default ({ n, p, engine }: { n: number; p: number; engine: Engine }) =>
  contrast(engine, n, p, (y) => [y ** 4 / 4, y ** 3]);
