/** Values from texts of the command line, or an InputError of one sentence. */
import { InputError } from "./input-error.js";

type Parse<T> = (text: string) => T;

function finite(option: string, text: string): number {
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (Math.abs(value) === Number.POSITIVE_INFINITY) {
    throw new InputError(`--${option} is ${text}, which is too large for a number (at most 1.8e308).`);
  }
  if (!Number.isFinite(value)) throw new InputError(`--${option} is '${text}'; it must be a number.`);
  return value;
}

export const real =
  (option: string): Parse<number> =>
  (text) =>
    finite(option, text);

export const integer =
  (option: string, least: number, most: number = Number.POSITIVE_INFINITY): Parse<number> =>
  (text) => {
    const value = finite(option, text);
    if (!Number.isSafeInteger(value) || value < least || value > most) {
      const range = most < Number.POSITIVE_INFINITY ? ` from ${least} to ${most}` : `, ${least} or more`;
      throw new InputError(`--${option} is ${text}; it must be a whole number${range}.`);
    }
    return value;
  };

export const anyInteger =
  (option: string): Parse<number> =>
  (text) => {
    const value = finite(option, text);
    if (!Number.isSafeInteger(value)) throw new InputError(`--${option} is ${text}; it must be a whole number.`);
    return value;
  };

export const notNegative =
  (option: string): Parse<number> =>
  (text) => {
    const value = finite(option, text);
    if (value < 0) throw new InputError(`--${option} is ${text}; it must be a number, 0 or more.`);
    return value;
  };

export const list = (text: string): string[] =>
  text
    .split(",")
    .map((s) => s.trim())
    .filter((s) => s !== "");
