/** A wire with one rank: nobody to speak to */
import type { Wire } from "../../src/mpi/wire.js";

const nobody = (): never => {
  throw new Error("a rank alone spoke to another one");
};

export const alone = (): Wire => ({
  rank: 0,
  size: 1,
  local: 1,
  name: "one rank",
  swap: nobody,
  send: nobody,
  receive: nobody,
  gather: (into, _counts, mine) => into.set(mine),
  deal: (into, _received, mine) => into.set(mine.subarray(0, into.length)),
  broadcast: () => undefined,
  abort: nobody,
  leave: () => undefined,
  close: () => undefined,
});
