/** Numbers for people. */
import type { RunResult } from "./protocol.js";

const superscript = (text: string): string => [...text].map((c) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(c)] ?? "⁻").join("");

/** −3 with a minus sign, not a hyphen */
const minus = (text: string): string => text.replace("-", "−");

/** 3.2·10⁻⁷ */
export function power(x: number, digits = 2): string {
  if (!Number.isFinite(x)) return "–";
  if (x === 0) return "0";
  const [mantissa = "", exponent = ""] = x.toExponential(digits - 1).split("e");
  if (Math.abs(Number(exponent)) < 3) return minus(x.toPrecision(digits + 1));
  return minus(`${mantissa}·10${superscript(String(Number(exponent)))}`);
}

/** 10⁻⁷, for axes */
export const decade = (x: number): string => `10${superscript(String(Math.round(Math.log10(x))))}`;

export const seconds = (s: number): string => (s < 1 ? `${(s * 1000).toPrecision(3)} ms` : `${s.toPrecision(3)} s`);

export const value = (x: number, digits = 9): string =>
  Number.isFinite(x) ? minus(String(Number(x.toPrecision(digits)))) : "–";

export const fixed = (x: number, digits: number): string => minus(x.toFixed(digits));

export const count = (x: number): string => x.toLocaleString("en");

/** A sentence of the library with its numbers as this page writes them, 3.2·10⁻⁷ for 3.2e-7, and no line break at the sign of a relation. */
export const sentence = (text: string): string =>
  text
    .replace(/(\d)e([+-]?\d+)/g, (_, digit, exponent) => `${digit}·10${superscript(String(Number(exponent)))}`)
    .replace(/(^|[ (])-(?=\d)/g, "$1−")
    .replace(/ ([=≤≥±−]) /g, "\u00a0$1\u00a0");

/** A multiplier up to this is 0, as constraintTolerance has it. */
const ACTIVE = 1e-6;

/** The multipliers of a constraint beside the manifold, violation and complementarity in words */
export function multiplierText({ multipliers = [], violation = 0, complementarity = 0 }: RunResult): string {
  const all = multipliers.flatMap((list) => [...list]);
  const sizes = all.map(Math.abs);
  const active = sizes.filter((x) => x > ACTIVE).length;
  const largest = sizes.reduce((most, x) => Math.max(most, x), 0);
  const many = `${active} of ${all.length} multipliers are not 0, the largest is ${value(largest)}`;
  return `${many}; violation ${power(violation)}, complementarity ${power(complementarity)}.`;
}
