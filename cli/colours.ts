import pc from "picocolors";

/** Colours of stdout: only on a terminal */
export const colours = pc.createColors(Boolean(process.stdout.isTTY) && pc.isColorSupported);
