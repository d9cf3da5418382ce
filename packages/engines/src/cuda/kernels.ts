/** The operations of an engine on the device: products by cuBLAS, everything else by kernels made at run time. */
import type { Chain } from "@expen/linalg";
import type { Kernels } from "@expen/linalg/engine";
import { planOf } from "@expen/linalg/engine";
import type { Device } from "./device.js";
import { type Fusion, MOST_SUMS } from "./fused.js";
import { address, type Launcher } from "./launcher.js";
import { products } from "./products.js";
import { standard } from "./standard.js";
import { pending } from "./sums.js";

/** Matrices of one kernel beside its destination; longer sums are cut. */
const MOST_TERMS = 12;

export function cudaKernels(device: Device, launch: Launcher): Kernels {
  const { fused, rows, entries } = launch;
  const gemm = products(device);
  const fusions = new Map(standard);
  function once(name: string, make: () => Fusion): Fusion {
    let fusion = fusions.get(name);
    if (!fusion) fusions.set(name, (fusion = make()));
    return fusion;
  }

  const { sum, dots, request, arrive } = pending(device, launch, once);

  /** r_i ← ⟨X_i, Y⟩, MOST_SUMS at a time */
  const longDots: Kernels["dots"] = (size, count, Xs, Y, r) => {
    for (let first = 0; first < count; first += MOST_SUMS) {
      const some = Xs.slice(first, Math.min(count, first + MOST_SUMS));
      const sums = dots(size, some, Y);
      for (let i = 0; i < some.length; i++) r[first + i] = sums[i]!;
    }
  };

  const chains = new WeakMap<Chain, Fusion>();
  function chainFusion(chain: Chain): Fusion {
    let fusion = chains.get(chain);
    if (!fusion) {
      // refuses what is wrong
      planOf(chain);
      const { inputs, constants = [], code, outputs, sum: s } = chain;
      const description = { inputs, constants: constants.length, code, outputs, sums: s === undefined ? [] : [s] };
      fusion = once(JSON.stringify(description), () => description);
      chains.set(chain, fusion);
    }
    return fusion;
  }

  return {
    requests: {
      add(size, Xs, Y, take) {
        if (Xs.length <= MOST_SUMS) return request({ size, Xs, Y, take });
        const values = new Float64Array(Xs.length);
        longDots(size, Xs.length, Xs, Y, values);
        take(values);
      },
      arrive,
    },
    gemm,
    // dsyrk would be slower; the two triangles of a product may differ in the last digits
    gram(n, p, A, b, S) {
      gemm(p, p, n, 1, A, true, A, false, b, S);
      rows("mirror", p, p, [BigInt(p), address(S)]);
    },
    dot: (size, X, Y) => dots(size, [X], Y)[0]!,
    dots: longDots,
    copy: (size, X, Y) => device.call("cuMemcpyDtoD_v2", Y.at, X.at, 8 * size),
    fill(size, a, Y) {
      if (Object.is(a, 0)) device.call("cuMemsetD8_v2", Y.at, 0, 8 * size);
      else fused(standard.get("fill")!, size, [a], [], [Y]);
    },
    axpby: (size, a, X, b, Y) => (b === 0 ? sum(size, [a], [X], Y) : sum(size, [a, b], [X, Y], Y)),
    combine: (size, a, X, b, Y, Z) => sum(size, [a, b], [X, Y], Z),
    combination(size, count, c, Xs, b, Z) {
      for (let first = 0; first < count; first += MOST_TERMS) {
        const end = Math.min(count, first + MOST_TERMS);
        const own = first === 0 ? b : 1;
        const [some, numbers] = [Xs.slice(first, end), Array.from(c.subarray(first, end))];
        if (own === 0) sum(size, numbers, some, Z);
        else sum(size, [...numbers, own], [...some, Z], Z);
      }
    },
    map(size, chain, inputs, outputs) {
      const fusion = chainFusion(chain);
      const sums = fused(fusion, size, chain.constants ?? [], inputs, outputs);
      return fusion.sums.length > 0 ? sums[0]! : 0;
    },
    symmetrize: (p, S) => rows("symmetrize", p, p, [BigInt(p), address(S)]),
    mirror: (p, S) => rows("mirror", p, p, [BigInt(p), address(S)]),
    addDiagonal: (p, a, S) => rows("addDiagonal", p, 1, [BigInt(p), a, address(S)]),
    rowDots: (n, p, X, Y, r) => rows("rowDots", n, p, [BigInt(n), BigInt(p), address(X), address(Y), address(r)]),
    scaleRows: (n, p, a, r, X, b, Y) => entries("scaleRows", n, p, [a, address(r), address(X), b, address(Y)]),
    tridiagonal: (n, p, a, lower, main, upper, X, b, Y) =>
      entries("tridiagonal", n, p, [a, ...[lower, main, upper, X].map(address), b, address(Y)]),
    tridiagonalSolve() {
      throw new Error("unreachable: operators of this engine solve by themselves");
    },
  };
}
