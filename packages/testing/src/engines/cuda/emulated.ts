/**
 * The functions of CUDA on plain arrays: addresses are those of blocks in host memory, cuBLAS and cuSOLVER are loops, NVRTC translates
 * kernels to JavaScript. The engine cannot tell. Calls can be recorded, and made to fail.
 */
import { type Cuda, type FunctionName, libraries } from "@expen/engines/cuda";
import * as host from "./host-routines.js";
import { type Numbers, type TranslatedKernel, translate } from "./kernel-translator.js";

/** Every block has so many addresses of its own. */
const SPAN = 2 ** 32;
const [OUT_OF_MEMORY, INVALID] = [2, 1];
/** of an H200, with two multiprocessors */
const ATTRIBUTES = new Map([
  [13, 1_980_000],
  [16, 2],
  [36, 3_201_000],
  [37, 6144],
  [75, 9],
  [76, 0],
  [87, 2],
]);

export interface Emulated extends Cuda {
  readonly calls: { name: FunctionName; args: readonly unknown[] }[];
  /** Calls are kept in `calls` only while this is true. */
  recording: boolean;
  /** the code that a function gives from now on */
  readonly codes: Map<FunctionName, number>;
  /** bytes in blocks */
  used: number;
  /** bytes that there are */
  capacity: number;
}

export function emulatedCuda({
  capacity = 2 ** 31,
  driver = 13000,
  devices = 1,
}: {
  capacity?: number;
  driver?: number;
  devices?: number;
} = {}): Emulated {
  const blocks = new Map<number, ArrayBuffer>();
  const registered = new Set<object>();
  const programs: string[] = [];
  const modules: Map<string, TranslatedKernel>[] = [];
  const kernels: TranslatedKernel[] = [];
  let next = 1;
  let slots: ArrayBuffer | undefined;
  const SLOTS = 4096n;

  /** The memory from an address to the end of its block */
  function bytesAt(address: number): Uint8Array<ArrayBuffer> {
    const block = blocks.get(Math.floor(address / SPAN));
    if (!block) throw new Error(`the address ${address} is of no block`);
    return new Uint8Array(block, address % SPAN);
  }
  const reals = (address: number): Float64Array => {
    const { buffer, byteOffset } = bytesAt(address);
    return new Float64Array(buffer, byteOffset);
  };
  const words = (address: number): Int32Array => {
    const { buffer, byteOffset } = bytesAt(address);
    return new Int32Array(buffer, byteOffset);
  };
  const give = (out: unknown, value: number): number => {
    if (out instanceof BigUint64Array) out[0] = BigInt(value);
    else (out as Int32Array)[0] = value;
    return 0;
  };
  const view = (array: unknown): Uint8Array => {
    const { buffer, byteOffset, byteLength } = array as Float64Array;
    return new Uint8Array(buffer, byteOffset, byteLength);
  };
  const text = (out: unknown, value: string): number => {
    const bytes = new TextEncoder().encode(`${value}\0`);
    (out as Uint8Array).set(bytes.subarray(0, (out as Uint8Array).length));
    return 0;
  };

  // biome-ignore lint/suspicious/noExplicitAny: arguments as CUDA has them
  const functions: Record<FunctionName, (...args: any[]) => number> = {
    cuInit: () => (devices > 0 ? 0 : 100),
    cuDriverGetVersion: (out) => give(out, driver),
    cuDeviceGetCount: (out) => give(out, devices),
    cuDeviceGet: (out, i) => give(out, i),
    cuDeviceGetName: (out) => text(out, "Emulated device"),
    cuDeviceGetAttribute: (out, which) => give(out, ATTRIBUTES.get(which)!),
    cuDevicePrimaryCtxRetain: (out) => give(out, 77),
    cuDevicePrimaryCtxRelease_v2: () => 0,
    cuCtxSetCurrent: (context) => (context === 77 ? 0 : INVALID),
    cuCtxSynchronize: () => 0,
    cuMemGetInfo_v2(free, total) {
      give(free, cuda.capacity - cuda.used);
      return give(total, cuda.capacity);
    },
    cuMemAlloc_v2(out, bytes) {
      if (bytes <= 0) return INVALID;
      if (cuda.used + bytes > cuda.capacity) return OUT_OF_MEMORY;
      cuda.used += bytes;
      // as on a device, new memory holds anything
      const block = new ArrayBuffer(Math.ceil(bytes / 8) * 8);
      new Float64Array(block).fill(Number.NaN);
      blocks.set(next, block);
      return give(out, SPAN * next++);
    },
    cuMemFree_v2(address) {
      cuda.used -= bytesAt(address).byteLength;
      return blocks.delete(address / SPAN) ? 0 : INVALID;
    },
    cuMemcpyHtoD_v2(to, from, bytes) {
      bytesAt(to).set(view(from).subarray(0, bytes));
      return 0;
    },
    cuMemcpyDtoH_v2(to, from, bytes) {
      view(to).set(bytesAt(from).subarray(0, bytes));
      return 0;
    },
    cuMemcpyDtoD_v2(to, from, bytes) {
      bytesAt(to).set(bytesAt(from).subarray(0, bytes));
      return 0;
    },
    cuMemcpyDtoHAsync_v2(to, from, bytes, stream) {
      if (stream !== 0 || !registered.has(to)) return INVALID;
      return functions.cuMemcpyDtoH_v2(to, from, bytes);
    },
    cuMemHostRegister_v2(piece) {
      registered.add(piece);
      return 0;
    },
    cuMemHostUnregister: (piece) => (registered.delete(piece) ? 0 : INVALID),
    cuStreamSynchronize: () => 0,
    cuMemsetD8_v2(at, value, bytes) {
      bytesAt(at).subarray(0, bytes).fill(value);
      return 0;
    },
    cuModuleLoadData: (out, cubin) => give(out, modules.push(translate(programs[(cubin as Uint8Array)[0]!]!)) - 1),
    cuModuleUnload: () => 0,
    cuModuleGetFunction(out, module, name) {
      const kernel = modules[module]!.get(name);
      return kernel ? give(out, kernels.push(kernel) - 1) : 500;
    },
    cuLaunchKernel(kernel, gx, gy, _gz, bx, by, _bz, _shared, _stream, addresses) {
      if (bx * by > 1024 || gx < 1 || gx >= 2 ** 31) return INVALID;
      const { parameters, launch } = kernels[kernel]!;
      const args = parameters.map((kind, i): number | Numbers => {
        const offset = Number((addresses as BigUint64Array)[i]! - SLOTS);
        if (kind === "real") return new Float64Array(slots!, offset, 1)[0]!;
        const whole = Number(new BigInt64Array(slots!, offset, 1)[0]);
        if (kind === "whole") return whole;
        const { buffer, byteOffset } = bytesAt(whole);
        const Type = { reals: Float64Array, ints: Int32Array, unsigneds: Uint32Array }[kind];
        return new Type(buffer, byteOffset);
      });
      launch({ x: gx, y: gy }, { x: bx, y: by }, args);
      return 0;
    },
    cublasCreate_v2: (out) => give(out, 88),
    cublasDestroy_v2: () => 0,
    cublasDgemm_v2(handle, tA, tB, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc) {
      if (handle !== 88) return INVALID;
      host.dgemm([tA, tB, m, n, k], alpha[0], reals(A), lda, reals(B), ldb, beta[0], reals(C), ldc);
      return 0;
    },
    cublasDgemmStridedBatched(handle, tA, tB, m, n, k, alpha, A, lda, sA, B, ldb, sB, beta, C, ldc, sC, count) {
      if (handle !== 88) return INVALID;
      const each = (at: number, stride: number, i: number): Float64Array => reals(at + 8 * stride * i);
      for (let i = 0; i < count; i++) {
        const factors = [each(A, sA, i), lda, each(B, sB, i), ldb] as const;
        host.dgemm([tA, tB, m, n, k], alpha[0], ...factors, beta[0], each(C, sC, i), ldc);
      }
      return 0;
    },
    cublasDtrsm_v2(_handle, side, triangle, turn, unit, m, n, alpha, A, lda, B, ldb) {
      if (side !== 0 || triangle !== 0 || turn !== 0 || unit !== 0 || alpha[0] !== 1) return 7;
      host.dtrsm(m, n, reals(A), lda, reals(B), ldb);
      return 0;
    },
    nvrtcVersion: () => 0,
    nvrtcCreateProgram: (out, source) => give(out, programs.push(source) - 1),
    nvrtcCompileProgram: (_program, _count, [architecture]) => (architecture.endsWith("=sm_90") ? 0 : 6),
    nvrtcGetProgramLogSize: (_program, out) => give(out, 9),
    nvrtcGetProgramLog: (_program, out) => text(out, "no such."),
    nvrtcGetCUBINSize: (_program, out) => give(out, 1),
    nvrtcGetCUBIN(program, out) {
      (out as Uint8Array)[0] = program;
      return 0;
    },
    nvrtcDestroyProgram: () => 0,
    cusolverDnCreate: (out) => give(out, 99),
    cusolverDnDestroy: () => 0,
    cusolverDnDpotrf_bufferSize: (_handle, _triangle, n, _A, _lda, out) => give(out, n),
    cusolverDnDpotrf(_handle, triangle, n, A, lda, _work, _length, info) {
      if (triangle !== 0 || lda !== n) return 3;
      words(info)[0] = host.dpotrf(n, reals(A));
      return 0;
    },
    cusolverDnDsyevd_bufferSize: (_handle, _vectors, _triangle, n, _A, _lda, _w, out) => give(out, n),
    cusolverDnDsyevd(_handle, vectors, _triangle, n, A, lda, w, _work, _length, info) {
      if (vectors !== 1 || lda !== n) return 3;
      host.dsyevd(n, reals(A), reals(w));
      words(info)[0] = 0;
      return 0;
    },
    cusolverDnDgesvd_bufferSize: (_handle, _m, n, out) => give(out, n),
    cusolverDnDgesvd(_handle, _u, _v, m, n, A, lda, s, U, ldu, V, ldvt, _work, _length, _rwork, info) {
      if (m < n || lda !== m || ldu !== m || ldvt !== n) return 3;
      host.dgesvd(m, n, reals(A), reals(s), reals(U), reals(V));
      words(info)[0] = 0;
      return 0;
    },
    cusolverDnDgetrf_bufferSize: (_handle, _m, n, _A, _lda, out) => give(out, n),
    cusolverDnDgetrf(_handle, m, n, A, lda, _work, pivots, info) {
      if (m !== n || lda !== n) return 3;
      words(info)[0] = host.dgetrf(n, reals(A), words(pivots));
      return 0;
    },
    cusolverDnDgetrs(_handle, turn, n, q, A, lda, pivots, B, ldb, info) {
      if (turn !== 0 || lda !== n || ldb !== n) return 3;
      host.dgetrs(n, q, reals(A), words(pivots), reals(B));
      words(info)[0] = 0;
      return 0;
    },
  };

  const counts = new Map<string, number>(
    Object.values(libraries).flatMap((library) =>
      Object.entries(library).map(([name, args]) => [name, args.length] as const),
    ),
  );
  const cuda = {
    calls: [],
    recording: false,
    codes: new Map(),
    used: 0,
    capacity,
    paths: { driver: "emulated", cublas: "emulated", nvrtc: "emulated", cusolver: "emulated" },
    addressOf(array: ArrayBufferView) {
      slots = array.buffer as ArrayBuffer;
      return SLOTS;
    },
  } as unknown as Emulated;
  for (const [name, run] of Object.entries(functions) as [FunctionName, (...args: unknown[]) => number][]) {
    cuda[name] = (...args: unknown[]) => {
      if (args.length !== counts.get(name)) throw new Error(`${name} takes ${counts.get(name)} arguments`);
      if (cuda.recording) cuda.calls.push({ name, args });
      return cuda.codes.get(name) ?? run(...args);
    };
  }
  return cuda;
}
