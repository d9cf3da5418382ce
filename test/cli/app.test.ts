import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { SingularValueDecomposition } from "ml-matrix";
import { describe, expect, test } from "vitest";
import { loadMatrix, saveMatrix } from "../../src/data/load.js";
import { centred, ml, normal, orthogonal, plain, shipped, subspaceDistance } from "../applications/support.js";
import { expen, scratch } from "./run-cli.js";

const folder = scratch();
const [wine, iris] = [resolve("examples/data/wine.csv"), resolve("examples/data/iris.csv")];
const json = async (args: string) => {
  const { code, stdout, stderr } = await expen(`${args} --json --quiet`, folder);
  expect([code, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout);
};

describe("solve --app", () => {
  test("pca of the shipped wine data: the subspace of an SVD to 1e-8", async () => {
    const { code, stdout } = await expen(`solve --app pca ${wine} --columns 1-13 --p 3 --out components.npy`, folder);
    expect(code).toBe(0);
    expect(stdout).toMatch(/✓ converged/);
    expect(stdout).toMatch(/explained +99\.81 % {2}0\.17 %/);
    expect(stdout).toContain("components (13×3): components.npy");
    const { matrix } = await loadMatrix(join(folder, "components.npy"));
    const { rightSingularVectors: V } = new SingularValueDecomposition(centred(ml(shipped("wine").A)));
    expect(subspaceDistance(ml(matrix), V.subMatrix(0, 12, 0, 2))).toBeLessThan(1e-8);
  });

  test("every application gives its numbers as JSON", async () => {
    const Q = orthogonal(3, 3, 1);
    const points = normal(20, 3, 1);
    await saveMatrix(join(folder, "a.csv"), plain(points));
    await saveMatrix(join(folder, "b.npy"), plain(points.mmul(Q).mul(2)));
    const [D1, D2] = [normal(4, 4, 2), normal(4, 4, 3)];
    await saveMatrix(join(folder, "s1.csv"), plain(D1.add(D1.transpose())));
    await saveMatrix(join(folder, "s2.csv"), plain(D2.add(D2.transpose())));

    const robust = await json(`solve --app robust-pca ${iris} --columns 1-4 --p 2`);
    expect(robust.answer.weights).toHaveLength(150);
    const sparse = await json(`solve --app sparse-pca ${wine} --columns 1-13 --standardise --p 2 --weight 0.5`);
    expect(sparse.answer.zeros).toBeGreaterThan(0.3);
    const ica = await json(`solve --app ica ${iris} --columns 1-4 --p 2 --contrast kurtosis`);
    expect(ica.answer.contrasts).toHaveLength(2);
    const fit = await json("solve --app procrustes a.csv b.npy");
    expect(fit.answer.residual).toBeGreaterThan(0);
    const aligned = await json("solve --app align a.csv b.npy --scaling --reflections");
    expect(aligned.answer.scale).toBeCloseTo(2, 9);
    expect(aligned.answer.rms).toBeLessThan(1e-5);
    const dictionary = await json("solve --app dictionary a.csv");
    expect(dictionary.answer.kurtosis).toHaveLength(3);
    const joint = await json("solve --app jointdiag s1.csv s2.csv");
    expect(joint.answer.offDiagonal).toBeLessThan(1);
    const rotation = await json("solve --app rotation a.csv --rotation quartimax");
    expect(rotation.answer.variances).toHaveLength(3);
    const energy = await json("solve --app kohn-sham --n 100 --p 10");
    expect(energy.answer.energy.toFixed(4)).toBe("35.7086");
    const water = await json(`solve --app hartree-fock ${resolve("examples/data/molecules/H2O-sto-3g.npz")}`);
    expect(water.answer.energy).toBeCloseTo(water.answer.reference, 8);
    const lda = await json(`solve --app discriminant ${iris} --labels 5 --p 2`);
    expect(lda.answer.ratio).toBeCloseTo(23.7636, 3);
    expect(lda.problem).toBe("discriminant");
    expect(["second-order", "global"]).toContain(lda.certificate.level);
  });

  test("mistakes are one sentence each, exit code 2", async () => {
    writeFileSync(join(folder, "x.csv"), "1,2\n3,4\n");
    for (const [args, message] of [
      ["solve --app pcaa x.csv --p 1", /application 'pcaa' is none of .*did you mean 'pca'/],
      ["solve --app pca x.csv", /needs --p/],
      ["solve --app pca --p 1", /takes data, one sample a row; 0 given/],
      ["solve --app pca x.csv --p 3", /p = 3 is above n = 2/],
      ["solve --app pca x.csv --p 1 --columns 1-9", /--columns is '1-9'; .* from 1 to 2/],
      ["solve --app pca x.csv --p 1 --reflections", /application pca has no option --reflections/],
      ["solve --app pca x.csv --p 1 --atoms 2", /application pca has no option --atoms/],
      ["solve --app discriminant x.csv --p 1 --labels 7", /--labels is 7 but the file has 2 columns/],
      ["solve --app hartree-fock x.csv", /x\.csv: this is no FCIDUMP file/],
      [
        "solve --app hartree-fock x.csv --columns 1",
        /application hartree-fock has no option --columns; it has none of its/,
      ],
      ["solve noeig --standardise", /--standardise is an option of applications/],
      ["solve noeig brockett", /takes one problem/],
      ["solve", /which problem/],
    ] as const) {
      const { code, stdout, stderr } = await expen(args, folder);
      expect([code, stdout], args).toEqual([2, ""]);
      expect(stderr, args).toMatch(message);
      expect(stderr.trim().split("\n"), args).toHaveLength(1);
    }
  });
});
