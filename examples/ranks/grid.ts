// Rows over ranks: p orbitals on a grid in a trap, f(X) = ½⟨X, (L + Diag(v))X⟩ + ¼Σρ_i², ρ_i = Σ_j X_ij², with L from a file.
//
//     mpirun -n 2 npx expen solve examples/ranks/grid.ts --n 400 --p 4 --engine mpi
//
// All ranks run this file. Engine operations handle distributed rows: L.apply fetches the entries that it needs from other ranks.
// Each rank computes the entries of v for its own rows.
import type { Engine, Tall } from "expen";
import { loadOperator } from "expen/data";
import { rowsOf } from "expen/engines";

const { matrix } = await loadOperator("examples/data/grid.mtx");

export default ({ n, p, engine: E }: { n: number; p: number; engine: Engine }) => {
  const L = E.operator(matrix);
  const [v, rho, LX] = [E.tall(n, 1), E.tall(n, 1), E.tall(n, p)];
  const trap = rowsOf(E, v);
  const side = Math.sqrt(n);
  for (let i = 0; i < trap.rows; i++) {
    const row = trap.firstRow + i;
    const [x, y] = [Math.floor(row / side) - side / 2, (row % side) - side / 2];
    trap.data[i] = 0.01 * (x * x + y * y);
  }
  return {
    fg(G: Tall, X: Tall): number {
      L.apply(LX, X);
      E.scaleRows(LX, v, X, 1, 1);
      E.rowDots(rho, X, X);
      E.copy(G, LX);
      E.scaleRows(G, rho, X, 1, 1);
      return 0.5 * E.dot(X, LX) + 0.25 * E.dot(rho, rho);
    },
  };
};
