/** Numbers for people. */

const superscript = (text: string): string => [...text].map((c) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(c)] ?? "⁻").join("");

/** 3.2·10⁻⁷ */
export function power(x: number, digits = 2): string {
  if (!Number.isFinite(x)) return "–";
  if (x === 0) return "0";
  const [mantissa = "", exponent = ""] = x.toExponential(digits - 1).split("e");
  if (Math.abs(Number(exponent)) < 3) return x.toPrecision(digits + 1);
  return `${mantissa}·10${superscript(String(Number(exponent)))}`;
}

/** 10⁻⁷, for axes */
export const decade = (x: number): string => `10${superscript(String(Math.round(Math.log10(x))))}`;

export const seconds = (s: number): string => (s < 1 ? `${(s * 1000).toPrecision(3)} ms` : `${s.toPrecision(3)} s`);

export const value = (x: number): string => (Number.isFinite(x) ? String(Number(x.toPrecision(9))) : "–");

export const count = (x: number): string => x.toLocaleString("en");
