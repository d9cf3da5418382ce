// Data over ranks: independent components by f = −Σ log cosh(z·x_j)/m over samples z and columns x_j, summed over ranks.
//
//     mpirun -n 2 npx expen solve examples/ranks/ica.ts --n 13 --p 3 --engine mpi-data
import type { Engine } from "expen";
import { contrast } from "./samples.js";

const logCosh = (y: number): number => Math.abs(y) + Math.log1p(Math.exp(-2 * Math.abs(y))) - Math.LN2;

export default ({ n, p, engine }: { n: number; p: number; engine: Engine }) =>
  contrast(engine, n, p, (y) => [logCosh(y), Math.tanh(y)]);
