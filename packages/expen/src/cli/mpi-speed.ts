/** `doctor` runs this with mpirun to time sums over ranks. Rank 0 prints one JSON document. */
import { mpiWire, summing } from "@expen/engines/mpi";

export interface MpiSpeed {
  ranks: number;
  name: string;
  /** best time of a sum, by the numbers in it */
  sums: { numbers: number; microseconds: number }[];
}

const wire = await mpiWire();
const sum = summing(wire);
const sums = [1, 2500, 250_000].map((numbers) => {
  const x = new Float64Array(numbers);
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < (numbers > 1e5 ? 20 : 500); i++) {
    const before = performance.now();
    sum(x, numbers);
    best = Math.min(best, performance.now() - before);
  }
  return { numbers, microseconds: Number((1000 * best).toPrecision(3)) };
});
const speed: MpiSpeed = { ranks: wire.size, name: wire.name, sums };
if (wire.rank === 0) process.stdout.write(`${JSON.stringify(speed)}\n`);
wire.close();
