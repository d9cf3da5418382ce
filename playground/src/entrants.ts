/** Entrants in the address: `auto;expen-cg,beta:0.1;expen-cg,beta:paper,rule:fr`. */
import type { Entrant } from "./protocol.js";

export function readEntrants(text: string): Entrant[] {
  return text
    .split(";")
    .filter((part) => part !== "")
    .map((part) => {
      const [solver = "", ...rest] = part.split(",");
      const options = rest.map((pair) => {
        const at = pair.indexOf(":");
        return [pair.slice(0, at), pair.slice(at + 1)] as const;
      });
      return { solver, options: Object.fromEntries(options) };
    });
}

export function writeEntrants(entrants: Entrant[]): string {
  return entrants
    .map(({ solver, options }) =>
      [solver, ...Object.entries(options).flatMap(([k, v]) => (v === "" ? [] : `${k}:${v.replace(/[,;]/g, "")}`))].join(
        ",",
      ),
    )
    .join(";");
}

export function entrantLabel({ solver, options }: Entrant): string {
  const words = Object.entries(options)
    .filter(([, v]) => v !== "")
    .map(([k, v]) => (k === "beta" ? `β ${v}` : k === "rule" ? v.toUpperCase() : /^\d/.test(v) ? `${k} ${v}` : v));
  return [solver, ...words].join(" ");
}
