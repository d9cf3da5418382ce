/** Kernels on rows, in CUDA C. A block has blockDim.x threads along a row and blockDim.y rows; one that writes in rows reads in rows. */
import { blockSums, THREADS } from "./fused.js";

const ROWS = "long long i = blockIdx.x * blockDim.y + threadIdx.y; i < n; i += (long long)gridDim.x * blockDim.y";
const COLUMNS = "long long j = threadIdx.x; j < p; j += blockDim.x";

/** Entry by entry: k is the place of (i, j), inverse = 1/p. */
const ENTRIES = `long long k = blockIdx.x * (long long)blockDim.x + threadIdx.x; k < n * p;
      k += (long long)gridDim.x * blockDim.x`;

/** Rows that the threads along a row, all of one warp, go over at once */
const TOGETHER = 4;
const rowsTogether = (text: (k: number) => string): string =>
  Array.from({ length: TOGETHER }, (_, k) => text(k)).join(" ");

/** T·X or (T + Diag(r))·X; y ← a·that + b·y, and the sums of x∘y by blocks where they are asked for */
const tridiagonal = (name: string, diagonal: boolean, dot: boolean): string => `
extern "C" __global__ void ${name}(long long n, long long p, double inverse, double a, const double* lower,
    const double* main_, const double* upper, ${diagonal ? "const double* r, " : ""}const double* x, double b,
    double* y${dot ? ", double* partial" : ""}) {
  ${dot ? "double s0 = 0;" : ""}
  for (${ENTRIES}) {
    long long i = rowOf(k, inverse);
    double t = (main_[i]${diagonal ? " + r[i]" : ""}) * x[k];
    if (i > 0) t += lower[i] * x[k - p];
    if (i < n - 1) t += upper[i] * x[k + p];
    double v = b == 0 ? a * t : a * t + b * y[k];
    y[k] = v;
    ${dot ? "s0 += x[k] * v;" : ""}
  }${dot ? blockSums(1) : ""}
}
`;

/**
 * z_i = s_i·x_i + c_i·z_{i−1}, rows in pieces of m, a thread for each column of a piece. Rows count from the end where step is −1.
 * `ends`: where a piece ends if the one before ended with 0. `sweep`: all rows, given where the piece before ends.
 */
const recurrence = (name: string, sweep: boolean): string => `
extern "C" __global__ void ${name}(long long n, long long p, long long m, long long step, const double* s,
    const double* c, const double* x, ${sweep ? "const double* before, double* z" : "double* end"}) {
  long long pieces = quotient(n + m - 1, m);
  for (long long t = blockIdx.x * (long long)blockDim.x + threadIdx.x; t < pieces * p;
      t += (long long)gridDim.x * blockDim.x) {
    long long piece = quotient(t, p);
    long long j = t - piece * p;
    double v = ${sweep ? "piece > 0 ? before[(piece - 1) * p + j] : 0.0" : "0"};
    for (long long i = piece * m; i < n && i < piece * m + m; i++) {
      long long k = (step > 0 ? i : n - 1 - i) * p + j;
      v = s[i] * x[k] + c[i] * v;
      ${sweep ? "z[k] = v;" : ""}
    }
    ${sweep ? "" : "end[piece * p + j] = v;"}
  }
}
`;

export const rowSource = `
__device__ long long quotient(long long a, long long b) { return a / b; }
__device__ long long rowOf(long long k, double inverse) { return (long long)((k + 0.5) * inverse); }

extern "C" __global__ void rowDots(long long n, long long p, const double* x, const double* y, double* r) {
  __shared__ double t[${TOGETHER * THREADS}];
  int here = threadIdx.y * blockDim.x + threadIdx.x;
  long long some = ${TOGETHER} * blockDim.y;
  for (long long first = blockIdx.x * some; first < n; first += gridDim.x * some) {
    long long i = first + threadIdx.y;
    ${rowsTogether((k) => `long long i${k} = i + ${k} * blockDim.y;`)}
    ${rowsTogether((k) => `long long k${k} = (i${k} < n ? i${k} : n - 1) * p;`)}
    ${rowsTogether((k) => `double s${k} = 0;`)}
    for (${COLUMNS}) {
      ${rowsTogether((k) => `s${k} += x[k${k} + j] * y[k${k} + j];`)}
    }
    ${rowsTogether((k) => `t[here + ${k * THREADS}] = s${k};`)}
    __syncwarp();
    for (int h = blockDim.x >> 1; h > 0; h >>= 1) {
      if (threadIdx.x < h) {
        ${rowsTogether((k) => `t[here + ${k * THREADS}] += t[here + ${k * THREADS} + h];`)}
      }
      __syncwarp();
    }
    ${rowsTogether((k) => `if (threadIdx.x == 0 && i${k} < n) r[i${k}] = t[here + ${k * THREADS}];`)}
    __syncwarp();
  }
}

extern "C" __global__ void scaleRows(long long n, long long p, double inverse, double a, const double* r,
    const double* x, double b, double* y) {
  for (${ENTRIES}) {
    double t = a * r[rowOf(k, inverse)] * x[k];
    y[k] = b == 0 ? t : t + b * y[k];
  }
}

extern "C" __global__ void sparse(long long n, long long p, double a, const int* pointers, const int* indices,
    const double* values, const double* x, double b, double* y) {
  for (${ROWS}) {
    for (${COLUMNS}) {
      double t = 0;
      for (int e = pointers[i]; e < pointers[i + 1]; e++) t += values[e] * x[indices[e] * p + j];
      long long k = i * p + j;
      y[k] = b == 0 ? a * t : a * t + b * y[k];
    }
  }
}
${tridiagonal("tridiagonal", false, false)}
${tridiagonal("tridiagonalWith", true, false)}
${tridiagonal("tridiagonalDot", false, true)}
${tridiagonal("tridiagonalWithDot", true, true)}
${recurrence("ends", false)}
${recurrence("sweep", true)}

extern "C" __global__ void symmetrize(long long n, double* s) {
  long long p = n;
  for (${ROWS}) {
    for (${COLUMNS}) {
      if (j < i) {
        double mean = 0.5 * (s[i * n + j] + s[j * n + i]);
        s[i * n + j] = mean;
        s[j * n + i] = mean;
      }
    }
  }
}

extern "C" __global__ void mirror(long long n, double* s) {
  long long p = n;
  for (${ROWS}) for (${COLUMNS}) if (j < i) s[i * n + j] = s[j * n + i];
}

extern "C" __global__ void addDiagonal(long long n, double a, double* s) {
  for (${ROWS}) if (threadIdx.x == 0) s[i * n + i] += a;
}

extern "C" __global__ void symmetricPart(long long n, double a, const double* s, double* t) {
  long long p = n;
  for (${ROWS}) for (${COLUMNS}) t[i * n + j] = a * s[i * n + j] + a * s[j * n + i];
}

extern "C" __global__ void transpose(long long n, long long p, const double* x, double* y) {
  for (${ROWS}) for (${COLUMNS}) y[j * n + i] = x[i * p + j];
}

extern "C" __global__ void upperPart(long long n, double* r) {
  long long p = n;
  for (${ROWS}) for (${COLUMNS}) if (j < i) r[i * n + j] = 0;
}

extern "C" __global__ void diagonal(long long n, const double* r, const int* info, double* d) {
  for (${ROWS}) {
    if (threadIdx.x == 0) d[i] = r[i * n + i];
    if (threadIdx.x == 0 && i == 0) d[n] = info[0];
  }
}
`;
