import type { Outcome } from "@expen/core";
import type { certify as certifyNow } from "./certify.js";

/**
 * The certificate of X, from f and X alone, with every proof that there is:
 *
 *     const { certificate, measures } = await certify(E, f, X, { tolerance: 1e-6 });
 *
 * The proofs are imported with the first call.
 */
export const certify = async (...args: Parameters<typeof certifyNow>): Promise<Outcome> =>
  (await import("./certify.js")).certify(...args);
