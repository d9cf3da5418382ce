/**
 * The functions of CUDA that the engine calls, by their own names, with their own order of arguments. Addresses on the device and
 * handles are numbers ("uint64_t"); results that CUDA writes to host memory go to typed arrays ("void *"). Each returns a code, 0 for
 * success.
 */
const U = "uint64_t";
const I = "int";
const H = "void *";
const N = "size_t";

/** The functions of each library that the engine calls */
interface Names {
  driver:
    | "cuInit"
    | "cuDriverGetVersion"
    | "cuDeviceGetCount"
    | "cuDeviceGet"
    | "cuDeviceGetName"
    | "cuDeviceGetAttribute"
    | "cuDevicePrimaryCtxRetain"
    | "cuDevicePrimaryCtxRelease_v2"
    | "cuCtxSetCurrent"
    | "cuCtxSynchronize"
    | "cuMemGetInfo_v2"
    | "cuMemAlloc_v2"
    | "cuMemFree_v2"
    | "cuMemcpyHtoD_v2"
    | "cuMemcpyDtoH_v2"
    | "cuMemcpyDtoD_v2"
    | "cuMemcpyDtoHAsync_v2"
    | "cuMemHostRegister_v2"
    | "cuMemHostUnregister"
    | "cuStreamSynchronize"
    | "cuMemsetD8_v2"
    | "cuModuleLoadData"
    | "cuModuleUnload"
    | "cuModuleGetFunction"
    | "cuLaunchKernel";
  cublas: "cublasCreate_v2" | "cublasDestroy_v2" | "cublasDgemm_v2" | "cublasDgemmStridedBatched" | "cublasDtrsm_v2";
  nvrtc:
    | "nvrtcVersion"
    | "nvrtcCreateProgram"
    | "nvrtcCompileProgram"
    | "nvrtcGetProgramLogSize"
    | "nvrtcGetProgramLog"
    | "nvrtcGetCUBINSize"
    | "nvrtcGetCUBIN"
    | "nvrtcDestroyProgram";
  cusolver:
    | "cusolverDnCreate"
    | "cusolverDnDestroy"
    | "cusolverDnDpotrf_bufferSize"
    | "cusolverDnDpotrf"
    | "cusolverDnDsyevd_bufferSize"
    | "cusolverDnDsyevd"
    | "cusolverDnDgesvd_bufferSize"
    | "cusolverDnDgesvd"
    | "cusolverDnDgetrf_bufferSize"
    | "cusolverDnDgetrf"
    | "cusolverDnDgetrs";
}

export type LibraryName = keyof Names;
export type FunctionName = Names[LibraryName];

export const libraries: { readonly [L in LibraryName]: Readonly<Record<Names[L], readonly string[]>> } = {
  driver: {
    cuInit: ["unsigned int"],
    cuDriverGetVersion: [H],
    cuDeviceGetCount: [H],
    cuDeviceGet: [H, I],
    cuDeviceGetName: [H, I, I],
    cuDeviceGetAttribute: [H, I, I],
    cuDevicePrimaryCtxRetain: [H, I],
    cuDevicePrimaryCtxRelease_v2: [I],
    cuCtxSetCurrent: [U],
    cuCtxSynchronize: [],
    cuMemGetInfo_v2: [H, H],
    cuMemAlloc_v2: [H, N],
    cuMemFree_v2: [U],
    cuMemcpyHtoD_v2: [U, H, N],
    cuMemcpyDtoH_v2: [H, U, N],
    cuMemcpyDtoD_v2: [U, U, N],
    /** host memory, device memory, bytes, stream */
    cuMemcpyDtoHAsync_v2: [H, U, N, U],
    cuMemHostRegister_v2: [H, N, "unsigned int"],
    cuMemHostUnregister: [H],
    cuStreamSynchronize: [U],
    cuMemsetD8_v2: [U, "uint8_t", N],
    cuModuleLoadData: [H, H],
    cuModuleUnload: [U],
    cuModuleGetFunction: [H, U, "str"],
    /** function, grid x y z, block x y z, bytes of shared memory, stream, addresses of the arguments, extra */
    cuLaunchKernel: [U, ...Array<string>(7).fill("unsigned int"), U, H, H],
  },
  cublas: {
    cublasCreate_v2: [H],
    cublasDestroy_v2: [U],
    /** handle, turn A, turn B, m, n, k, α, A, lda, B, ldb, β, C, ldc; columns first */
    cublasDgemm_v2: [U, I, I, I, I, I, H, U, I, U, I, H, U, I],
    /** the same for so many matrices, each a stride after the one before: …, A, lda, stride, B, ldb, stride, β, C, ldc, stride, count */
    cublasDgemmStridedBatched: [U, I, I, I, I, I, H, U, I, U, U, I, U, H, U, I, U, I],
    /** handle, side, triangle, turn, unit diagonal, m, n, α, A, lda, B, ldb */
    cublasDtrsm_v2: [U, I, I, I, I, I, I, H, U, I, U, I],
  },
  nvrtc: {
    nvrtcVersion: [H, H],
    nvrtcCreateProgram: [H, "str", "str", I, H, H],
    nvrtcCompileProgram: [U, I, "str *"],
    nvrtcGetProgramLogSize: [U, H],
    nvrtcGetProgramLog: [U, H],
    nvrtcGetCUBINSize: [U, H],
    nvrtcGetCUBIN: [U, H],
    nvrtcDestroyProgram: [H],
  },
  cusolver: {
    cusolverDnCreate: [H],
    cusolverDnDestroy: [U],
    /** handle, triangle, n, A, lda, length of the workspace */
    cusolverDnDpotrf_bufferSize: [U, I, I, U, I, H],
    cusolverDnDpotrf: [U, I, I, U, I, U, I, U],
    /** handle, vectors, triangle, n, A, lda, w, length of the workspace */
    cusolverDnDsyevd_bufferSize: [U, I, I, I, U, I, U, H],
    cusolverDnDsyevd: [U, I, I, I, U, I, U, U, I, U],
    /** handle, m, n, length of the workspace */
    cusolverDnDgesvd_bufferSize: [U, I, I, H],
    /** handle, which U, which V, m, n, A, lda, s, U, ldu, Vᵀ, ldvt, workspace, its length, rwork, info */
    cusolverDnDgesvd: [U, "char", "char", I, I, U, I, U, U, I, U, I, U, I, U, U],
    cusolverDnDgetrf_bufferSize: [U, I, I, U, I, H],
    /** handle, m, n, A, lda, workspace, pivots, info */
    cusolverDnDgetrf: [U, I, I, U, I, U, U, U],
    /** handle, turn, n, right sides, A, lda, pivots, B, ldb, info */
    cusolverDnDgetrs: [U, I, I, I, U, I, U, U, I, U],
  },
};

/** All functions, and the address of a typed array in host memory: what a device machine has, or a test makes of plain loops. */
export type Cuda = Record<FunctionName, (...args: unknown[]) => number> & {
  addressOf(array: ArrayBufferView): bigint;
  /** the folders or names the libraries came from */
  readonly paths: Readonly<Record<LibraryName, string>>;
};

/** the enumerations of cuBLAS and cuSOLVER for matrices by columns */
export const COLUMNS = { plain: 0, turned: 1, lower: 0, upper: 1, left: 0, nonUnit: 0, vectors: 1 } as const;
