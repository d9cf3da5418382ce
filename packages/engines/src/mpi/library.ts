/** MPI through koffi. Open MPI has pointers to its own variables as handles, MPICH has integers. */
import { EngineError, environment } from "@expen/linalg";
import { loadKoffi } from "../koffi.js";
import { isCutOff, type Started, startedAs } from "./started.js";
import { busyTransfers, type Declare, sleepingTransfers } from "./transfers.js";
import type { Wire } from "./wire.js";

type Native = (...args: unknown[]) => number;
interface Library {
  func(name: string, result: string, args: string[]): Native;
  symbol(name: string, type: string): unknown;
}

/** The names tried where EXPEN_MPI names none */
const NAMES = {
  "Open MPI": ["libmpi.so.40", "libmpi.so", "libmpi.40.dylib", "libmpi.dylib"],
  MPICH: ["libmpich.so.12", "libmpi.so.12", "libmpich.so", "libmpi.12.dylib"],
} as const;
const INSTALL = {
  "Open MPI": '"apt-get install openmpi-bin"',
  MPICH: '"apt-get install mpich"',
} as const;

/** mpi.h of MPICH and its kin, the same numbers since 2013 (the ABI initiative) */
const MPICH_HANDLES = { world: 0x44000000, double: 0x4c00080b };

function load(koffi: { load(path: string, options?: object): unknown }, by: Started["by"]): [Library, string] {
  const choice = environment.EXPEN_MPI;
  for (const path of choice ? [choice] : NAMES[by]) {
    try {
      // its plugins look for its symbols among the global ones
      return [koffi.load(path, { global: true }) as Library, path];
    } catch (error) {
      if (choice) throw new EngineError(`mpi: EXPEN_MPI names '${choice}', which cannot be loaded (${reason(error)}).`);
    }
  }
  throw new EngineError(
    `mpi: none of ${NAMES[by].join(", ")} is on this machine; install ${by} (${INSTALL[by]}) or set EXPEN_MPI to its library.`,
  );
}

const reason = (error: unknown): string =>
  (error as Error).message.replace(/^Failed to load shared library: /, "").split("\n")[0]!;

/** The first line of what MPI says of itself */
function versionOf(library: Library): string {
  const [text, length] = [new Uint8Array(8192), new Int32Array(1)];
  library.func("MPI_Get_library_version", "int", ["uint8_t *", "int *"])(text, length);
  const message = new TextDecoder().decode(text.subarray(0, length[0])).split("\n")[0]!;
  return message
    .replace(/\0/g, "")
    .replace(/, package:.*$/, "")
    .replace(/^MPICH Version:\s*/, "MPICH ")
    .trim();
}

/** Starts MPI in this process, once. */
export async function mpiWire(): Promise<Wire> {
  const started = startedAs();
  if (!started) {
    throw new EngineError(
      'mpi: this process was not started by mpirun; write "mpirun -n 2 npx expen … --engine mpi", or take another engine.',
    );
  }
  if (isCutOff(environment, isOpenFile)) {
    throw new EngineError(
      "mpi: MPICH's mpirun cannot speak to a process that npx starts; " +
        'write "mpirun -pmi-port -n 2 npx expen …", or "mpirun -n 2 node_modules/.bin/expen …" where that is installed.',
    );
  }
  // UCX, below MPICH, tries its watch over the memory of the process: it grows the heap by a page and shrinks it again. Where V8 has put
  // its code right behind the heap only the second succeeds, and a page of Node's is gone: one start in thirty died of it.
  process.env.UCX_MEM_EVENTS ??= "n";
  const [library, path] = load(await loadKoffi("mpi"), started.by);
  const wire = declare(library, started.local);
  if (started.size !== undefined && wire.size !== started.size) {
    wire.close();
    throw new EngineError(
      `mpi: mpirun of ${started.by} started ${started.size} processes but ${path} (${wire.name}) sees ${wire.size}; ` +
        "take the mpirun of the same MPI, or set EXPEN_MPI to its library.",
    );
  }
  return wire;
}

function isOpenFile(file: number): boolean {
  try {
    return process.getBuiltinModule("node:fs").fstatSync(file).isSocket();
  } catch {
    return false;
  }
}

function declare(library: Library, local: number): Wire {
  const open = openHandles(library);
  const H = open ? "void *" : "int";
  const { world, double } = open ?? MPICH_HANDLES;
  const declared: Declare = (name, args) => {
    const call = library.func(name, "int", args);
    return (...values) => {
      const code = call(...values);
      if (code !== 0) throw new EngineError(`mpi: ${name} failed with code ${code}.`);
    };
  };
  declared("MPI_Init", ["void *", "void *"])(null, null);
  const query = (name: string): number => {
    const answer = new Int32Array(1);
    declared(name, [H, "int *"])(world, answer);
    return answer[0]!;
  };
  const [rank, size] = [query("MPI_Comm_rank"), query("MPI_Comm_size")];
  const transfers = local > cores() ? sleepingTransfers : busyTransfers;
  const { swap, send, receive, gather, deal, broadcast } = transfers(declared, { H, world, double });
  const abort = library.func("MPI_Abort", "int", [H, "int"]);
  const finalize = library.func("MPI_Finalize", "int", []);
  let closed = false;
  return {
    rank,
    size,
    local,
    name: versionOf(library),
    swap: (partner, x, y, count) => swap(partner, x, count, y),
    send,
    receive,
    gather: (into, counts, mine) => gather(mine, counts[rank], double, into, counts, startsOf(counts), double, world),
    deal: (into, received, x, sendCounts) =>
      deal(x, sendCounts, startsOf(sendCounts), double, into, received, startsOf(received), double, world),
    broadcast: (x) => broadcast(x, x.length, double, 0, world),
    abort: (code) => void abort(world, code),
    leave: () => undefined,
    close() {
      if (!closed) finalize();
      closed = true;
    },
  };
}

/** Of the machine: a launcher may have bound this process to one of them. */
const cores = (): number => process.getBuiltinModule("node:os").cpus().length;

function openHandles(library: Library): { world: unknown; double: unknown } | undefined {
  try {
    return {
      world: library.symbol("ompi_mpi_comm_world", "void"),
      double: library.symbol("ompi_mpi_double", "void"),
    };
  } catch {
    return undefined;
  }
}

/** Where each part begins, for parts one after the other */
export function startsOf(counts: Int32Array): Int32Array {
  const starts = new Int32Array(counts.length);
  for (let r = 1; r < counts.length; r++) starts[r] = starts[r - 1]! + counts[r - 1]!;
  return starts;
}
