import { blasEngine } from "@expen/engines/blas";
import { wasmEngine } from "@expen/engines/wasm";
import { jsEngine } from "@expen/linalg/engine";
import { planted, runTraps } from "@expen/testing/certify/traps";
import { blasHere } from "@expen/testing/contracts/blas-here";
import { opaque } from "@expen/testing/engines/opaque";
import { split } from "@expen/testing/engines/split";
import { expect, test } from "vitest";

const blas = await blasHere({ threads: 1 });
const engines = {
  js: async () => jsEngine(),
  wasm: () => wasmEngine(),
  [blas.title]: () => blasEngine({ threads: 1 }),
};

test("the suite is large enough: traps, and minima that must be proved", () => {
  expect(planted.filter(({ provable }) => !provable).length).toBeGreaterThanOrEqual(200);
  expect(planted.filter(({ provable }) => provable).length).toBeGreaterThanOrEqual(40);
});

for (const [name, open] of Object.entries(engines)) {
  test.skipIf(name === blas.title && blas.absent)(
    `no certificate of a trap is wrong, and every minimum is proved: ${name}`,
    async () => {
      const E = await open();
      // all of them where there is time; otherwise a third of them in plain code, elsewhere one of five
      const every = process.env.EXPEN_LONG ? 1 : name === "js" ? 3 : 5;
      const { tried, minima, false: wrong } = await runTraps([E], { every });
      expect(wrong).toEqual([]);
      expect(tried).toBeGreaterThan(planted.length / every);
      expect(minima).toBeGreaterThanOrEqual(40 / every);
      E.dispose();
    },
  );
}

test.each([
  ["opaque", () => opaque(jsEngine())],
  ["split", () => split(jsEngine())],
] as const)(
  "the same on engines whose entries cannot be read in place, on points of all kinds: %s",
  async (_name, open) => {
    // built-in problems and solvers have tests of their own there
    const {
      tried,
      minima,
      false: wrong,
    } = await runTraps([open()], { every: 4, runs: 0, but: /Brockett|noeig|20000|66×66/ });
    expect(wrong).toEqual([]);
    expect(tried).toBeGreaterThan(planted.length / 5);
    expect(minima).toBeGreaterThanOrEqual(10);
  },
);
