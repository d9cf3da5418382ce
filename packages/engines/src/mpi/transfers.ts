/**
 * The calls of MPI in which a rank waits for others. MPI waits by looking again and again, which is right where each rank has a core of its
 * own. Where ranks share cores, one that looks keeps the one it waits for from working: there a transfer is begun (MPI_I…), and the
 * process sleeps between two looks. (Open MPI yields by itself, MPICH 4 does not.)
 */

/** A function of the library that throws where MPI says that it failed */
export type Call = (...args: unknown[]) => void;
export type Declare = (name: string, args: string[]) => Call;

export interface Transfers {
  /** x to a rank and y from it; all numbers that y has room for */
  swap(partner: number, x: Float64Array, count: number, y: Float64Array): void;
  send(to: number, x: Float64Array, count: number): void;
  receive(from: number, y: Float64Array): void;
  /** MPI_Allgatherv, MPI_Alltoallv, MPI_Bcast: their arguments */
  gather: Call;
  deal: Call;
  broadcast: Call;
}

/** Handles of a library, and how it takes them */
export interface Handles {
  /** type of a handle */
  readonly H: string;
  readonly world: unknown;
  readonly double: unknown;
}

/** tag of our messages; any number would do */
const TAG = 7;
/** room for an MPI_Status, which takes 24 bytes in Open MPI and 20 in MPICH */
const STATUS_BYTES = 64;
/** room for a request, a pointer or an integer */
const REQUEST_BYTES = 8;
/** Looks before the first sleep */
const LOOKS = 20;
/** milliseconds of a sleep */
const SLEEP = 0.05;

const D = "double *";
const I = "int *";
const BYTES = "uint8_t *";
const POINT = (H: string): string[] => [D, "int", H, "int", "int", H];
const COLLECTIVES = (H: string): Record<"gather" | "deal" | "broadcast", [name: string, args: string[]]> => ({
  gather: ["allgatherv", [D, "int", H, D, I, I, H, H]],
  deal: ["alltoallv", [D, I, I, H, D, I, I, H, H]],
  broadcast: ["bcast", [D, "int", H, "int", H]],
});

export function busyTransfers(declare: Declare, { H, world, double }: Handles): Transfers {
  const functionName = (name: string): string => `MPI_${name[0]!.toUpperCase()}${name.slice(1)}`;
  const swap = declare("MPI_Sendrecv", [...POINT(H).slice(0, 5), ...POINT(H), BYTES]);
  const send = declare("MPI_Send", POINT(H));
  const receive = declare("MPI_Recv", [...POINT(H), BYTES]);
  const status = new Uint8Array(STATUS_BYTES);
  const { gather, deal, broadcast } = COLLECTIVES(H);
  return {
    swap: (partner, x, count, y) =>
      swap(x, count, double, partner, TAG, y, y.length, double, partner, TAG, world, status),
    send: (to, x, count) => send(x, count, double, to, TAG, world),
    receive: (from, y) => receive(y, y.length, double, from, TAG, world, status),
    gather: declare(functionName(gather[0]), gather[1]),
    deal: declare(functionName(deal[0]), deal[1]),
    broadcast: declare(functionName(broadcast[0]), broadcast[1]),
  };
}

export function sleepingTransfers(declare: Declare, { H, world, double }: Handles): Transfers {
  const [send, receive] = [declare("MPI_Isend", [...POINT(H), BYTES]), declare("MPI_Irecv", [...POINT(H), BYTES])];
  const test = declare("MPI_Test", [BYTES, I, BYTES]);
  const status = new Uint8Array(STATUS_BYTES);
  const done = new Int32Array(1);
  const inFlight = new Set<unknown[]>();
  const nobody = new Int32Array(new SharedArrayBuffer(4));
  const begun = (begin: Call, ...args: unknown[]): Uint8Array => {
    const request = new Uint8Array(REQUEST_BYTES);
    begin(...args, request);
    return request;
  };
  function finish(request: Uint8Array): void {
    for (let looks = 0; ; looks++) {
      test(request, done, status);
      if (done[0]) return;
      if (looks >= LOOKS) Atomics.wait(nobody, 0, 0, SLEEP);
    }
  }
  const collective = ([name, args]: [string, string[]]): Call => {
    const begin = declare(`MPI_I${name}`, [...args, BYTES]);
    return (...values) => {
      // MPI reads counts and places until the end
      inFlight.add(values);
      finish(begun(begin, ...values));
      inFlight.delete(values);
    };
  };
  const { gather, deal, broadcast } = COLLECTIVES(H);
  return {
    swap(partner, x, count, y) {
      const requests = [
        begun(receive, y, y.length, double, partner, TAG, world),
        begun(send, x, count, double, partner, TAG, world),
      ];
      requests.forEach(finish);
    },
    send: (to, x, count) => finish(begun(send, x, count, double, to, TAG, world)),
    receive: (from, y) => finish(begun(receive, y, y.length, double, from, TAG, world)),
    gather: collective(gather),
    deal: collective(deal),
    broadcast: collective(broadcast),
  };
}
