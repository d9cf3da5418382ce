import { random } from "@expen/linalg";
import { eigh } from "@expen/linalg/dense";
import { jsEngine } from "@expen/linalg/engine";
import { opaque } from "@expen/testing/engines/opaque";
import { expect, test } from "vitest";
import { upperEigenvalues } from "../../src/certify/offered-spectrum.js";

const p = 12;

test.each([jsEngine(), opaque(jsEngine())])(
  "a factorization of S bounds its eigenvalues; one of another matrix is refused ($name)",
  (E) => {
    const r = random(1, "S");
    const S = E.small(
      p,
      p,
      Float64Array.from({ length: p * p }, () => r.normal()),
    );
    E.symmetrize(S);
    const { values, vectors } = eigh(E, S);
    const bounds = upperEigenvalues(E, S, { values, vectors })!;
    const size = Math.hypot(...values);
    values.forEach((w, i) => {
      expect(bounds[i]).toBeGreaterThanOrEqual(w);
      expect(bounds[i]! - w).toBeLessThan(1e-13 * size);
    });
    expect(upperEigenvalues(E, S, { values: values.map((w) => w + 1e-9), vectors })).toBeUndefined();
    expect(upperEigenvalues(E, S, { values })).toBeUndefined();
    // Diag(values) itself has the identity as its vectors
    const D = E.small(
      p,
      p,
      Float64Array.from({ length: p * p }, (_, k) => (k % (p + 1) ? 0 : values[k / (p + 1)]!)),
    );
    expect(upperEigenvalues(E, D, { values })).toEqual(values);
  },
);
