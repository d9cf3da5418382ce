import { EngineError } from "@expen/linalg";
import type { Cuda } from "./functions.js";

/** Arguments of a kernel: those of nearly all, and the most that CUDA takes everywhere, 4 KB of 8 bytes each */
const [USUAL, MOST] = [64, 512];

/** a real number; a whole number or an address */
export type Argument = number | bigint;

/** Writes the arguments of a launch; returns where each lies. CUDA copies them at once: the next launch has the same room. */
export function launchArguments(cuda: Cuda): (args: readonly Argument[]) => BigUint64Array {
  let room = slots(cuda, USUAL);
  return (args) => {
    if (args.length > MOST) {
      const count = `a kernel has ${args.length} arguments (matrices and constants)`;
      throw new EngineError(`${count}; CUDA takes ${MOST}: use a chain of fewer inputs.`);
    }
    if (args.length > room.addresses.length) room = slots(cuda, MOST);
    const { reals, wholes, addresses } = room;
    for (let i = 0; i < args.length; i++) {
      const value = args[i]!;
      if (typeof value === "bigint") wholes[i] = value;
      else reals[i] = value;
    }
    return addresses;
  };
}

function slots(cuda: Cuda, count: number) {
  const buffer = new ArrayBuffer(8 * count);
  const reals = new Float64Array(buffer);
  const first = cuda.addressOf(reals);
  const addresses = BigUint64Array.from({ length: count }, (_, i) => first + BigInt(8 * i));
  return { reals, wholes: new BigInt64Array(buffer), addresses };
}
