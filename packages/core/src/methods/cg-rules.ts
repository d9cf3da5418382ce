/** The inner products from which every rule for τ in d₊ = −g₊ + τ·d is made; y = g₊ − g. */
export interface Products {
  /** ⟨g₊, g₊⟩ */ gg: number;
  /** ⟨g, g⟩ */ g0g0: number;
  /** ⟨g₊, y⟩ */ gy: number;
  /** ⟨d, y⟩ */ dy: number;
  /** ⟨y, y⟩ */ yy: number;
  /** ⟨d, g₊⟩ */ dg: number;
  /** ⟨d, g⟩ */ dg0: number;
  /** ⟨d, d⟩ */ dd: number;
}

/** A rule for τ in d₊ = −g₊ + τ·d, from the inner products of a step */
export type CgRule = (q: Products) => number;

const FR: CgRule = (q) => q.gg / q.g0g0;
const PR: CgRule = (q) => q.gy / q.g0g0;
const HS: CgRule = (q) => q.gy / q.dy;
const DY: CgRule = (q) => q.gg / q.dy;
const LS: CgRule = (q) => -q.gy / q.dg0;

/** As on the command line (`--rule`) */
export type CgRuleName = "fr" | "pr" | "pr+" | "hs" | "hs+" | "dy" | "ls" | "fr-pr" | "hs-dy" | "hz";

/** The rules by name. References: docs/solvers/expen-cg.md */
export const cgRules: Readonly<Record<CgRuleName, CgRule>> = {
  fr: FR,
  pr: PR,
  "pr+": (q) => Math.max(0, PR(q)),
  hs: HS,
  "hs+": (q) => Math.max(0, HS(q)),
  dy: DY,
  ls: LS,
  /** Gilbert and Nocedal: PR kept within ±FR */
  "fr-pr": (q) => Math.max(-FR(q), Math.min(PR(q), FR(q))),
  "hs-dy": (q) => Math.max(0, Math.min(HS(q), DY(q))),
  /** Hager and Zhang, with their lower bound */
  hz: (q) =>
    Math.max((q.gy - (2 * q.yy * q.dg) / q.dy) / q.dy, -1 / (Math.sqrt(q.dd) * Math.min(0.01, Math.sqrt(q.g0g0)))),
};
