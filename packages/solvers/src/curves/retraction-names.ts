export const retractionNames = ["qr", "cholesky-qr", "polar", "cayley", "exponential"] as const;
export type RetractionName = (typeof retractionNames)[number];
