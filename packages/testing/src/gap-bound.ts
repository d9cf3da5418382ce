import type { Certificate } from "@expen/core";

/** The bound of f(X) − min f, whatever the level says; undefined where a certificate has none */
export const gapBoundOf = (certificate: Certificate): number | undefined =>
  "gapBound" in certificate ? certificate.gapBound : undefined;
