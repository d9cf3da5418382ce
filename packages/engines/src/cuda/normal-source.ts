/**
 * The normals of `random` (@expen/linalg) on the device, bit for bit: Marsaglia's polar method takes four words for each attempt, accepted
 * or not, so that attempts can be made anywhere in the stream at once. Compiled without fused multiply-adds, as JavaScript has none;
 * `logarithm` is that of fdlibm (Sun Microsystems 1993), which V8 has too.
 */

const each = (words: string): string => ["s0", "s1", "s2", "s3"].map((s) => words.replaceAll("@", s)).join("\n");

/** s ← T^(2^k)·s for every bit k of the piece */
const jump = `
    for (long long k = 0; k < levels; k++) {
      if (quotient(piece, power2(k)) % 2 == 0) continue;
      unsigned int r0 = 0;
      unsigned int r1 = 0;
      unsigned int r2 = 0;
      unsigned int r3 = 0;
      long long at = 512 * k;
      ${each(`
      for (int b = 0; b < 32; b++) {
        if (shifted(@, b) & 1) {
          r0 ^= jumps[at];
          r1 ^= jumps[at + 1];
          r2 ^= jumps[at + 2];
          r3 ^= jumps[at + 3];
        }
        at += 4;
      }`)}
      s0 = r0;
      s1 = r1;
      s2 = r2;
      s3 = r3;
    }`;

/** A word of xoshiro128** */
const word = (name: string): string => `
      unsigned int ${name} = product32(rotated(product32(s1, 5), 7), 9);
      t = s1 << 9;
      s2 ^= s0;
      s3 ^= s1;
      s1 ^= s2;
      s0 ^= s3;
      s2 ^= t;
      s3 = rotated(s3, 11);`;

/** u, v uniform in [−1, 1) and q = u² + v² */
const attempt = `
      unsigned int t = 0;${["a", "b", "c", "d"].map(word).join("")}
      double u = 2.0 * ((shifted(a, 5) * 67108864.0 + shifted(b, 6)) / 9007199254740992.0) - 1.0;
      double v = 2.0 * ((shifted(c, 5) * 67108864.0 + shifted(d, 6)) / 9007199254740992.0) - 1.0;
      double q = u * u + v * v;`;

const PIECES = `long long piece = blockIdx.x * (long long)blockDim.x + threadIdx.x; piece < pieces;
      piece += (long long)gridDim.x * blockDim.x`;

export const normalSource: string = `
__device__ long long quotient(long long a, long long b) { return a / b; }
__device__ long long power2(long long k) { return 1LL << k; }
__device__ unsigned int product32(unsigned int a, unsigned int b) { return a * b; }
__device__ unsigned int rotated(unsigned int a, int k) { return (a << k) | (a >> (32 - k)); }
__device__ unsigned int shifted(unsigned int a, int k) { return a >> k; }
__device__ unsigned int highWord(double x) { return __double2hiint(x); }
__device__ double withHighWord(double x, unsigned int high) { return __hiloint2double(high, __double2loint(x)); }

__device__ double logarithm(double x) {
  double high = 6.93147180369123816490e-01;
  double low = 1.90821492927058770002e-10;
  int h = highWord(x);
  int k = (h >> 20) - 1023;
  h = h & 0x000fffff;
  int i = (h + 0x95f64) & 0x100000;
  double y = withHighWord(x, h | (i ^ 0x3ff00000));
  k += i >> 20;
  double f = y - 1.0;
  double dk = k;
  if ((0x000fffff & (2 + h)) < 3) {
    if (f == 0) return k == 0 ? 0.0 : dk * high + dk * low;
    double R0 = f * f * (0.5 - 0.33333333333333333 * f);
    return k == 0 ? f - R0 : dk * high - ((R0 - dk * low) - f);
  }
  double s = f / (2.0 + f);
  double z = s * s;
  double w = z * z;
  double t1 = w * (3.999999999940941908e-01 + w * (2.222219843214978396e-01 + w * 1.531383769920937332e-01));
  double t2 = z * (6.666666666666735130e-01 + w * (2.857142874366239149e-01
      + w * (1.818357216161805012e-01 + w * 1.479819860511658591e-01)));
  double R = t2 + t1;
  if (((h - 0x6147a) | (0x6b851 - h)) > 0) {
    double square = 0.5 * f * f;
    return k == 0 ? f - (square - s * (square + R)) : dk * high - ((square - (s * (square + R) + dk * low)) - f);
  }
  return k == 0 ? f - s * (f - R) : dk * high - ((s * (f - R) - dk * low) - f);
}

extern "C" __global__ void countNormals(long long pieces, long long attempts, long long levels,
    const unsigned int* start, const unsigned int* jumps, unsigned int* states, unsigned int* counts) {
  for (${PIECES}) {
    unsigned int s0 = start[0];
    unsigned int s1 = start[1];
    unsigned int s2 = start[2];
    unsigned int s3 = start[3];${jump}
    states[4 * piece] = s0;
    states[4 * piece + 1] = s1;
    states[4 * piece + 2] = s2;
    states[4 * piece + 3] = s3;
    int count = 0;
    for (long long e = 0; e < attempts; e++) {${attempt}
      if (q > 0 && q < 1) count += 1;
    }
    counts[piece] = count;
  }
}

extern "C" __global__ void writeNormals(long long pieces, long long attempts, long long size,
    const unsigned int* states, const double* offsets, double* out) {
  for (${PIECES}) {
    unsigned int s0 = states[4 * piece];
    unsigned int s1 = states[4 * piece + 1];
    unsigned int s2 = states[4 * piece + 2];
    unsigned int s3 = states[4 * piece + 3];
    long long at = offsets[piece];
    for (long long e = 0; e < attempts && at < size; e++) {${attempt}
      if (q > 0 && q < 1) {
        double r = sqrt((-2.0 * logarithm(q)) / q);
        out[at] = u * r;
        if (at + 1 < size) out[at + 1] = v * r;
        at += 2;
      }
    }
  }
}
`;
