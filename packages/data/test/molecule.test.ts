import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Matrix } from "@expen/linalg";
import { random } from "@expen/linalg";
import { MemoryError } from "@expen/linalg/memory";
import { afterAll, describe, expect, test } from "vitest";
import { readFcidump } from "../src/fcidump.js";
import { loadMolecule } from "../src/load.js";
import { DataError } from "../src/loaded.js";
import { type Molecule, pair, pairs } from "../src/molecule.js";
import { readMolecule } from "../src/molecule-npz.js";
import { writeNpz } from "../src/npz.js";

const folder = mkdtempSync(join(tmpdir(), "expen-molecule-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const dump = readFileSync(new URL("../../../examples/data/molecules/H2O-sto-3g.fcidump", import.meta.url), "utf8");

const row = (...data: number[]): Matrix => ({ rows: data.length, cols: 1, data: Float64Array.from(data) });
const square = (...data: number[]): Matrix => ({ rows: 2, cols: 2, data: Float64Array.from(data) });
const good = { h: square(1, 2, 2, 3), integrals: row(1, 2, 3, 4, 5, 6), occupied: row(1), nuclear: row(0.5) };

function refused(read: () => unknown, word: RegExp): void {
  let error: unknown;
  try {
    read();
  } catch (e) {
    error = e;
  }
  expect(error).toBeInstanceOf(DataError);
  expect((error as Error).message).toMatch(word);
  expect((error as Error).message).toMatch(/^[^\n]*\.$/);
}

test("pair numbers the triangle row after row, in both orders", () => {
  const n = 6;
  const places = Array.from({ length: n * n }, (_, k) => pair(Math.floor(k / n), k % n));
  expect(new Set(places).size).toBe(pairs(n));
  expect([pair(0, 0), pair(1, 0), pair(1, 1), pair(2, 0), pair(0, 2), pair(5, 5)]).toEqual([0, 1, 2, 3, 3, 20]);
});

describe(".npz", () => {
  test("what is there is read; overlap, nuclei and references may be missing", () => {
    const given = readMolecule(
      writeNpz({ ...good, S: square(1, 0, 0, 1), energy: row(-1.5), diis: row(7), diisEnergy: row(-1) }),
    );
    expect(given).toMatchObject({
      size: 2,
      occupied: 1,
      nuclear: 0.5,
      reference: -1.5,
      diis: { builds: 7, energy: -1 },
      h: good.h,
    });
    const { nuclear: _, ...bare } = good;
    expect(readMolecule(writeNpz(bare))).toEqual({
      size: 2,
      occupied: 1,
      nuclear: 0,
      h: good.h,
      integrals: good.integrals.data,
    });
  });

  test.each<[string, Record<string, Matrix>, RegExp]>([
    ["no integrals", { h: good.h, occupied: row(1) }, /no array 'integrals'; it must hold h, integrals and occupied/],
    ["too few integrals", { ...good, integrals: row(1, 2) }, /there are 2 integrals; .* 2 functions has 6 unique ones/],
    ["h that is not square", { ...good, h: row(1, 2) }, /h is 2×1; it must be 2×2/],
    ["h that is not symmetric", { ...good, h: square(1, 2, 3, 4) }, /h is not symmetric: \(1, 0\) is 3\.00 but/],
    ["S of another size", { ...good, S: row(1) }, /S is 1×1; it must be 2×2/],
    ["NaN", { ...good, integrals: row(1, Number.NaN, 3, 4, 5, 6) }, /number 2 of integrals is NaN/],
    ["no electrons", { ...good, occupied: row(0) }, /occupied is 0; it must be a whole number from 1 to 2/],
    ["too many electrons", { ...good, occupied: row(3) }, /occupied is 3; /],
    ["half a pair", { ...good, occupied: row(1.5) }, /occupied is 1\.5; /],
  ])("%s: one sentence", (_what, arrays, word) => {
    refused(() => readMolecule(writeNpz(arrays)), word);
  });
});

describe("FCIDUMP", () => {
  const head = "&FCI NORB=2,NELEC=2,MS2=0,\n ORBSYM=1,1,\n ISYM=1,\n&END\n";
  const body = "0.5 1 1 1 1\n 2.5D-1 2 1 1 1\n-1.25 1 1 0 0\n0.125 1 2 0 0\n9 2 0 0 0\n0.7 0 0 0 0\n";

  test("integrals, core Hamiltonian, nuclei; Fortran's exponents; orbital energies are left out", () => {
    const expected: Molecule = {
      size: 2,
      occupied: 1,
      nuclear: 0.7,
      h: square(-1.25, 0.125, 0.125, 0),
      integrals: Float64Array.of(0.5, 0.25, 0, 0, 0, 0),
    };
    expect(readFcidump(head + body)).toEqual(expected);
    expect(readFcidump((head + body).replace("&END", " /").replaceAll("\n", "\r\n"))).toEqual(expected);
  });

  test.each<[string, string, RegExp]>([
    ["another file", "1 2 3\n", /no FCIDUMP file: it does not begin with &FCI/],
    ["no end of the head", "&FCI NORB=2,NELEC=2\n0.5 1 1 1 1\n", /no FCIDUMP file/],
    ["no NORB", "&FCI NELEC=2\n&END\n", /has no NORB; it must say NORB=/],
    ["a basis of nothing", "&FCI NORB=0,NELEC=2\n&END\n", /NORB is 0; it must be a whole number from 1 to/],
    ["an odd number of electrons", head.replace("NELEC=2", "NELEC=3") + body, /NELEC is 3, an odd number/],
    ["an open shell", head.replace("MS2=0", "MS2=2") + body, /MS2 is 2; only closed shells/],
    ["two spins", head.replace("ISYM=1,", "ISYM=1, IUHF=1,") + body, /has IUHF set/],
    ["too many electrons", head.replace("NELEC=2", "NELEC=6") + body, /occupied is 3; .* from 1 to 2/],
    ["an index beyond the basis", `${head}0.5 3 1 1 1\n`, /line 5 is '0\.5 3 1 1 1'; it must be a value and four/],
    ["an index missing", `${head}${body}0.5 1 1 1\n`, /line 11 is '0\.5 1 1 1'/],
    ["a zero in the midst", `${head}0.5 1 0 1 1\n`, /line 5 is/],
    ["text", `${head}half 1 1 1 1\n`, /line 5 is 'half 1 1 1 1'/],
  ])("%s: one sentence", (_what, text, word) => {
    refused(() => readFcidump(text), word);
  });

  test("300 damaged files end in a molecule or in one sentence that names the file", async () => {
    const r = random(1, "damage");
    const path = join(folder, "damaged.fcidump");
    for (let k = 0; k < 300; k++) {
      const [at, length] = [Math.floor(r.uniform() * dump.length), Math.floor(r.uniform() * 20)];
      const piece = ["", "0", "-", "x", "\n", "1e999", " 7 "][k % 7]!;
      writeFileSync(path, k % 3 === 0 ? dump.slice(0, at) : dump.slice(0, at) + piece + dump.slice(at + length));
      const end = await loadMolecule(path).catch((error: unknown) => error);
      if (end instanceof MemoryError) continue;
      if (end instanceof DataError) expect(end.message).toMatch(/damaged\.fcidump: [^\n]*\.$/);
      else expect((end as Molecule).integrals.every(Number.isFinite)).toBe(true);
    }
  });
});

test("a file that is not there", async () => {
  await expect(loadMolecule(join(folder, "none.npz"))).rejects.toThrow(/none\.npz: there is no such file/);
});
