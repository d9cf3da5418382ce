/**
 * The `mpi` engine: the rows of tall matrices lie on several processes that all run the same program; small matrices are the same on
 * each, to the bit. An inner engine works on the rows of a process.
 */

import type { Engine, Matrix, Ranks, Tall } from "@expen/linalg";
import { EngineError } from "@expen/linalg";
import type { Owned } from "@expen/linalg/engine";
import { checks, type Memory, makeEngine } from "@expen/linalg/engine";
import { checksum } from "./checksum.js";
import { exchangeOf } from "./exchange.js";
import { sleep } from "./heard.js";
import { type Inside, mpiFactor, mpiKernels, type Own, type Parts } from "./kernels.js";
import type { Meeting } from "./meeting.js";
import { mpiOperators } from "./operators.js";
import { partition } from "./partition.js";
import { reductions } from "./reductions.js";
import { Spread } from "./spread.js";
import type { Wire } from "./wire.js";

/** That rank says why and ends all; this one has some seconds to be ended in. */
function lostRankError(rank: number): EngineError {
  sleep(5000);
  return new EngineError(`mpi: rank ${rank} has ended before it began.`);
}

/** Rows over the ranks of `wire`, each on its `inner` engine. */
export function mpiEngine(wire: Wire, inner: Engine): Engine {
  const { rank, size } = wire;
  const parted = partition(size);
  const sums = reductions(wire, (S, into) => inner.read(S.inner, into));
  const { traffic } = sums;
  let ids = 0;
  let disposed = false;

  const exchanged = (bytes: number): void => {
    traffic.exchanges++;
    traffic.bytes += bytes;
  };
  const reads = (A: Owned): Inside => {
    const M = A as Spread;
    if (M.pending) sums.flush();
    return M.inner as Inside;
  };
  const parts: Parts = {
    inner,
    sums,
    rank,
    reads,
    writes(A) {
      const M = reads(A);
      sums.writes(A as Spread);
      return M;
    },
  };

  /** counts[r]·cols numbers of each rank, in one array on all of them */
  function gathered(mine: Float64Array, n: number, cols: number): Float64Array {
    const counts = Int32Array.from({ length: size }, (_, r) => parted.count(n, r) * cols);
    const into = new Float64Array(n * cols);
    wire.gather(into, counts, mine.subarray(0, counts[rank]));
    exchanged(8 * counts[rank]!);
    return into;
  }

  /** An error on every rank where the numbers of one are not those of rank 0 */
  function requireAlike(numbers: ArrayLike<number>, what: string): void {
    const sums = gathered(Float64Array.of(checksum(numbers)), size, 1);
    const failed = sums.findIndex(Number.isNaN);
    if (failed >= 0) throw lostRankError(failed);
    const other = sums.findIndex((s) => s !== sums[0]);
    if (other < 0) return;
    throw new EngineError(
      `mpi: ${what} of rank ${other} is not that of rank 0; give all ranks the same data and options.`,
    );
  }

  const memory: Memory = {
    allocate(rows, cols, owner, kind) {
      if (kind === undefined) throw new EngineError("matrix: rows may lie apart here; use tall() or small().");
      const local = kind === "small" ? inner.small(rows, cols) : inner.tall(parted.count(rows, rank), cols);
      return new Spread(rows, cols, owner, kind, local, ids++);
    },
    alive: () => !disposed,
    read(A, into) {
      const M = reads(A);
      if (A.kind === "small") inner.read(M, into);
      else into.set(gathered(inner.read(M), A.rows, A.cols));
    },
    write(A, numbers) {
      const M = parts.writes(A);
      if (A.kind === "small") return inner.write(M, numbers);
      const [from, to] = [parted.firstRow(A.rows, rank) * A.cols, parted.firstRow(A.rows, rank + 1) * A.cols];
      if (typeof numbers !== "function") {
        requireAlike(numbers, `a ${A.rows}×${A.cols} matrix`);
        return inner.write(
          M,
          Float64Array.from({ length: to - from }, (_, i) => numbers[from + i]!),
        );
      }
      for (let i = 0; i < from; i++) numbers();
      inner.write(M, numbers);
      for (let i = to; i < A.rows * A.cols; i++) numbers();
    },
    ...(inner.counters.emptied !== undefined && { emptied: () => inner.counters.emptied! }),
    dispose() {
      disposed = true;
      inner.dispose();
      wire.close();
    },
  };

  const ranks: Ranks = {
    rank,
    size,
    local: wire.local,
    inner: inner.name,
    traffic,
    agree(x) {
      const numbers = Float64Array.of(x);
      wire.broadcast(numbers);
      exchanged(8);
      return numbers[0]!;
    },
    now: sums.now,
    any: sums.any,
    sum: sums.plain,
    same: sums.same,
    abort: wire.abort,
    leave: wire.leave,
    requireAlike,
    firstRow: (n) => parted.firstRow(n, rank),
    rowsOf(A) {
      const M: Matrix = parts.writes(own(A, "rowsOf", "A"));
      // whoever has the array may write it at any time
      (A as unknown as Spread).writtenAt = Number.POSITIVE_INFINITY;
      return { rows: M.rows, cols: M.cols, data: M.data };
    },
    settle(A) {
      const M = A as unknown as Spread;
      if (M.writtenAt !== Number.POSITIVE_INFINITY) return;
      M.writtenAt = 0;
      sums.writes(M);
    },
    readRows(A) {
      const M: Matrix = reads(own(A, "readRows", "A"));
      return { rows: M.rows, cols: M.cols, data: inner.read(M as Tall) };
    },
    exchange: (n, indices) => exchangeOf(wire, parted, n, indices, exchanged),
    collect(mine, n, cols) {
      if (rank > 0) return void wire.send(0, mine, mine.length);
      return blocks();

      function* blocks(): Generator<Matrix> {
        yield { rows: parted.count(n, 0), cols, data: mine };
        for (let r = 1; r < size; r++) {
          const rows = parted.count(n, r);
          const data = new Float64Array(rows * cols);
          wire.receive(r, data, data.length);
          yield { rows, cols, data };
        }
      }
    },
  };

  let own: Own = () => {
    throw new EngineError("mpi: the engine is not open yet.");
  };
  let operators: Engine["operator"];
  const E: Engine = makeEngine({
    name: "mpi",
    description: `${size} ranks (${wire.name}), each on ${inner.description}`,
    memory,
    kernels: mpiKernels(parts),
    factor: mpiFactor(parts, (M, op, letter) => own(M, op, letter)),
    operator: (A) => operators(A),
  });
  const owner = (E.small(0, 0) as unknown as Owned).owner as { name: string };
  own = checks(owner, memory).own;
  const meeting: Meeting = {
    ...parts,
    ...parted,
    size,
    gathered,
    own,
    spread: (rows, cols, mine) => new Spread(rows, cols, owner, "tall", mine, ids++) as Spread & Tall,
    exchange: ranks.exchange,
    requireAlike,
    counters: E.counters,
  };
  operators = mpiOperators(meeting);
  return { ...E, ranks, ...(inner.device && { device: { capacity: inner.device.capacity } }) };
}
