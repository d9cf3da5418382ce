export const retractionNames = ["qr", "cholesky-qr", "polar", "cayley", "exponential"] as const;
/** The name of a retraction, as the option `retraction` takes it */
export type RetractionName = (typeof retractionNames)[number];
