/** Started by mpirun: the jobs [name, options] of a file, each twice, on all ranks. Rank 0 prints what they gave on it, as JSON. */
import { readFileSync } from "node:fs";
import type { Wire } from "@expen/engines/mpi";
import { mpiWire } from "@expen/engines/mpi";
import { jobs } from "@expen/testing/engines/mpi/programs";

type Job = (wire: Wire, options: never) => unknown;

const asked = JSON.parse(readFileSync(process.argv[2]!, "utf8")) as [keyof typeof jobs, never][];
const wire = await mpiWire();
const answers: unknown[] = [];
for (const [name, options] of asked) {
  const job = jobs[name] as Job;
  answers.push([await job(wire, options), await job(wire, options)]);
}
if (wire.rank === 0) process.stdout.write(JSON.stringify(answers));
wire.close();
