import { solve } from "./solve.js";

self.onmessage = async ({ data: [name, threads] }) => {
  self.postMessage(await solve(name, threads).catch((error) => `${error}`));
};
