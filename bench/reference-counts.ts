/**
 * Iterations of other people's programs to a gradient norm of 1e-3, from one to six starts, for noeig (1000, 10), noeig (250, 50) and brockett (250, 50).
 * They vary by ±20 % with the start, those of Fletcher–Reeves far more.
 */
export const referenceCounts: Readonly<Record<string, readonly [string, string, string]>> = {
  "expen-cg --beta paper": ["143–155", "673–683", "431–494"],
  plam: ["183", "1272", ""],
  pcal: ["170–192", "633–901", "316–346"],
  pencf: ["164–242", "1169–1249", "635–763"],
  slpg: ["61–68", "395–406", "311–456"],
  landing: ["128", "770", "460"],
  mcm: ["377", "> 3000", "902"],
  "mcm --variant gr": ["254", "1916", "> 3000"],
  "wen-yin": ["46–53", "254–315", "377"],
  "wen-yin --retraction qr": ["52–58", "240–256", "468"],
  "jiang-dai": ["51", "268", "256"],
  rcg: ["42–66", "236", "225–291"],
  "rcg --rule fr": ["98–495", "1206", "2226–2621"],
  "rcg --rule pr": ["", "295", ""],
  "rcg --rule hz": ["", "399", ""],
  rlbfgs: ["44", "220", "267"],
};
