/** The error of invalid data */

/** Invalid data or an invalid file; the message is one sentence: the problem, its location, and the remedy. */
export class DataError extends Error {
  override name = "DataError";
  /** Messages quote files; line breaks in them become blanks. */
  constructor(message: string, options?: ErrorOptions) {
    super(message.replace(/[\p{Cc}\u2028\u2029]+/gu, " "), options);
  }
}
