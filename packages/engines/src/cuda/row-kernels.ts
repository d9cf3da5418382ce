/** Kernels on rows, in CUDA C. A block has blockDim.x threads along a row and blockDim.y rows; one that writes in rows reads in rows. */
import { blockSums, THREADS } from "./fused.js";

const ROWS = "long long i = blockIdx.x * blockDim.y + threadIdx.y; i < n; i += (long long)gridDim.x * blockDim.y";
const COLUMNS = "long long j = threadIdx.x; j < p; j += blockDim.x";

/** Entry by entry: k is the place of (i, j), inverse = 1/p. */
const ENTRIES = `long long k = blockIdx.x * (long long)blockDim.x + threadIdx.x; k < n * p;
      k += (long long)gridDim.x * blockDim.x`;

/** Rows that a thread has at hand, so that it waits for memory once: of one column, and of those that several threads share */
const [OWN, SHARED] = [8, 2];
const repeated =
  (count: number) =>
  (text: (k: number) => string, end = " "): string =>
    Array.from({ length: count }, (_, k) => text(k)).join(end);
const [own, shared] = [repeated(OWN), repeated(SHARED)];

/** y ← a·T·x + b·y; with `dot` the sums of x∘y by blocks too */
const tridiagonal = (name: string, dot: boolean): string => `
extern "C" __global__ void ${name}(long long n, long long p, double inverse, double a, const double* lower,
    const double* main_, const double* upper, const double* x, double b,
    double* y${dot ? ", double* partial" : ""}) {
  ${dot ? "double s0 = 0;" : ""}
  long long all = quotient(n + ${OWN - 1}, ${OWN}) * p;
  for (long long t = blockIdx.x * (long long)blockDim.x + threadIdx.x; t < all; t += (long long)gridDim.x * blockDim.x) {
    long long group = rowOf(t, inverse);
    long long i = group * ${OWN};
    long long k = i * p + t - group * p;
    double above = i > 0 ? x[k - p] : 0.0;
    ${own((q) => `double x${q} = i + ${q} < n ? x[k + ${q} * p] : 0.0;`)}
    double x${OWN} = i + ${OWN} < n ? x[k + ${OWN} * p] : 0.0;
    ${own(
      (q) => `if (i + ${q} < n) {
      double v = main_[i + ${q}] * x${q};
      if (i + ${q} > 0) v += lower[i + ${q}] * ${q === 0 ? "above" : `x${q - 1}`};
      if (i + ${q + 1} < n) v += upper[i + ${q}] * x${q + 1};
      v = b == 0 ? a * v : a * v + b * y[k + ${q} * p];
      y[k + ${q} * p] = v;
      ${dot ? `s0 += x${q} * v;` : ""}
    }`,
      "\n    ",
    )}
  }${dot ? blockSums(1) : ""}
}
`;

/**
 * z_i = s_i·x_i + c_i·z_{i−1}, rows in pieces of m, a multiple of HELD, a thread for each column of a piece. Rows count from the end where
 * step is −1. `ends`: where a piece ends if the one before ended with 0. `sweep`: all rows, given where the piece before ends.
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
    ${
      sweep
        ? `for (long long i = piece * m; i < n && i < piece * m + m; i += ${OWN}) {
      ${own((q) => `long long i${q} = i + ${q} < n ? i + ${q} : n - 1;`)}
      ${own((q) => `long long k${q} = (step > 0 ? i${q} : n - 1 - i${q}) * p + j;`)}
      ${own((q) => `double a${q} = s[i${q}] * x[k${q}];`)}
      ${own((q) => `double c${q} = c[i${q}];`)}
      ${own((q) => `if (i + ${q} < n) { v = a${q} + c${q} * v; z[k${q}] = v; }`)}
    }`
        : `for (long long i = piece * m; i < n && i < piece * m + m; i++)
      v = s[i] * x[(step > 0 ? i : n - 1 - i) * p + j] + c[i] * v;
    end[piece * p + j] = v;`
    }
  }
}
`;

export const rowSource: string = `
__device__ long long quotient(long long a, long long b) { return a / b; }
__device__ long long rowOf(long long k, double inverse) { return (long long)((k + 0.5) * inverse); }

extern "C" __global__ void rowDots(long long n, long long p, const double* x, const double* y, double* r) {
  __shared__ double t[${SHARED * THREADS}];
  int here = threadIdx.y * blockDim.x + threadIdx.x;
  long long some = ${SHARED} * blockDim.y;
  for (long long first = blockIdx.x * some; first < n; first += gridDim.x * some) {
    long long i = first + threadIdx.y;
    ${shared((k) => `long long i${k} = i + ${k} * blockDim.y;`)}
    ${shared((k) => `long long k${k} = (i${k} < n ? i${k} : n - 1) * p;`)}
    ${shared((k) => `double s${k} = 0;`)}
    for (${COLUMNS}) {
      ${shared((k) => `s${k} += x[k${k} + j] * y[k${k} + j];`)}
    }
    ${shared((k) => `t[here + ${k * THREADS}] = s${k};`)}
    __syncwarp();
    for (int h = blockDim.x >> 1; h > 0; h >>= 1) {
      if (threadIdx.x < h) {
        ${shared((k) => `t[here + ${k * THREADS}] += t[here + ${k * THREADS} + h];`)}
      }
      __syncwarp();
    }
    ${shared((k) => `if (threadIdx.x == 0 && i${k} < n) r[i${k}] = t[here + ${k * THREADS}];`)}
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
${tridiagonal("tridiagonal", false)}
${tridiagonal("tridiagonalDot", true)}
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
