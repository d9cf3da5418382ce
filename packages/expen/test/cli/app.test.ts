import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { loadMatrix, saveMatrix } from "@expen/data";
import {
  centred,
  eigenvectors,
  ml,
  normal,
  orthogonal,
  plain,
  shipped,
  subspaceDistance,
} from "@expen/testing/applications/support";
import { expen, scratch } from "@expen/testing/cli/run-cli";
import { Matrix as Ml, SingularValueDecomposition } from "ml-matrix";
import { describe, expect, test } from "vitest";

const folder = scratch();
const [wine, iris] = [resolve("examples/data/wine.csv"), resolve("examples/data/iris.csv")];
const json = async (args: string) => {
  const { code, stdout, stderr } = await expen(`${args} --json --quiet`, folder);
  expect([code, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout);
};

describe("app", () => {
  test("pca of the shipped wine data: the subspace of an SVD to 1e-8", async () => {
    const { code, stdout } = await expen(`app pca "${wine}" --columns 1-13 --p 3 --out components.npy`, folder);
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
    // common eigenvectors, and one more matrix that has others
    const V = orthogonal(4, 4, 2);
    const [D, other] = [normal(4, 2, 3), normal(4, 4, 3)];
    for (const [k, name] of ["s1.csv", "s2.csv"].entries()) {
      await saveMatrix(join(folder, name), plain(V.mmul(Ml.diag(D.getColumn(k))).mmul(V.transpose())));
    }
    await saveMatrix(join(folder, "s3.csv"), plain(other.add(other.transpose())));

    const robust = await json(`app robust-pca "${iris}" --columns 1-4 --p 2`);
    expect(robust.answer.weights).toHaveLength(150);
    const sparse = await json(`app sparse-pca "${wine}" --columns 1-13 --standardise --p 2 --weight 0.5`);
    expect(sparse.answer.zeros).toBeGreaterThan(0.3);
    const ica = await json(`app ica "${iris}" --columns 1-4 --p 2 --contrast kurtosis`);
    expect(ica.answer.contrasts).toHaveLength(2);
    const fit = await json("app procrustes a.csv b.npy");
    // min ‖AX − 2AQ‖ = ‖A‖, at X = Q
    expect(fit.answer.residual).toBeCloseTo(points.norm("frobenius"), 6);
    const aligned = await json("app align a.csv b.npy --scaling --reflections");
    expect(aligned.answer.scale).toBeCloseTo(2, 9);
    expect(aligned.answer.rms).toBeLessThan(1e-5);
    const dictionary = await json("app dictionary a.csv");
    expect(dictionary.answer.kurtosis).toHaveLength(3);
    const joint = await json("app jointdiag s1.csv s2.csv");
    expect(joint.answer.offDiagonal).toBeLessThan(1e-10);
    const { answer } = await json("app jointdiag s1.csv s2.csv s3.csv --out X.npy");
    const X = ml((await loadMatrix(join(folder, "X.npy"))).matrix);
    const squares = ["s1.csv", "s2.csv", "s3.csv"].map(async (name) => {
      const S = X.transpose()
        .mmul(ml((await loadMatrix(join(folder, name))).matrix))
        .mmul(X);
      return [Ml.diag(S.diagonal()).sub(S).norm("frobenius") ** 2, S.norm("frobenius") ** 2] as const;
    });
    const [off, total] = (await Promise.all(squares)).reduce(([a, b], [c, d]) => [a + c, b + d]);
    expect(off / total).toBeGreaterThan(1e-3);
    expect(answer.offDiagonal).toBeCloseTo(off / total, 9);
    const rotation = await json("app rotation a.csv --kind quartimax");
    const variances = rotation.answer.variances as number[];
    expect(variances).toHaveLength(3);
    expect(variances.reduce((a, b) => a + b)).toBeCloseTo(points.norm("frobenius") ** 2, 9);
    const water = await json(`app hartree-fock "${resolve("examples/data/molecules/H2O-sto-3g.npz")}"`);
    expect(water.answer.energy).toBeCloseTo(water.answer.reference, 8);
    const lda = await json(`app discriminant "${iris}" --labels 5 --p 2`);
    expect(lda.answer.ratio).toBeCloseTo(23.7636, 3);
    expect(lda.problem).toBe("discriminant");
    expect(["second-order", "global"]).toContain(lda.certificate.level);
  });

  test("applications on other manifolds, and the words of their answers", async () => {
    const A = normal(6, 6, 4);
    await saveMatrix(join(folder, "A.csv"), plain(A.clone().add(A.transpose())));
    await saveMatrix(join(folder, "ring.csv"), plain(new Ml([[0, 1, 1], [1, 0, 1], [1, 1, 0]]))); // biome-ignore format: a matrix
    await saveMatrix(join(folder, "turns.csv"), plain(new Ml([[0, -1, 1, 0], [1, 0, 0, 1]]))); // biome-ignore format: a matrix
    writeFileSync(join(folder, "B.mtx"), "%%MatrixMarket matrix coordinate real general\n6 6 6\n" + [1, 2, 3, 4, 5, 6].map((i) => `${i} ${i} 2\n`).join("")); // biome-ignore format: a file
    writeFileSync(join(folder, "holes.csv"), "1,2,nan\n2,nan,6\nnan,6,9\n1,2,3\n");

    const { values } = eigenvectors(A.clone().add(A.transpose()), 6);
    const eigen = await json("app eigen A.csv B.mtx --p 2 --largest --tolerance 1e-9");
    expect(eigen.answer.values[1]).toBeCloseTo(values[1]! / 2, 9);
    expect(eigen.answer.residual).toBeLessThan(1e-6);
    const svd = await json("app svd A.csv --p 1");
    expect(svd.answer.values[0]).toBeCloseTo(Math.max(...values.map(Math.abs)), 9);
    const cca = await json(`app cca "${iris}" "${iris}" --columns 1-2 --p 1`);
    expect(cca.answer.correlations[0]).toBeCloseTo(1, 9);
    const tucker = await json("app tucker A.csv B.mtx A.csv --ranks 2,2,1");
    expect(tucker.answer.relativeError).toBeLessThanOrEqual(tucker.answer.startError);
    const { code, stdout } = await expen("app completion holes.csv --p 1 --out full.csv --quiet", folder);
    expect([code, stdout]).toEqual([0, expect.stringContaining("the completed matrix (4×3): full.csv")]);
    expect((await loadMatrix(join(folder, "full.csv"))).matrix.data[2]).toBeCloseTo(3, 5);
    const cut = await json("app max-cut ring.csv");
    expect([cut.answer.cut, cut.answer.bound.toFixed(4)]).toEqual([2, "2.2500"]);
    const mean = await json("app mean-rotation turns.csv --kind median");
    expect(mean.answer.distances).toHaveLength(2);
  });

  test("columns of a file beside texts, by name and by number, and both spellings", async () => {
    const header = "sepal_length,sepal_width,petal_length,species";
    const rows = ["5.1,3.5,1.4,setosa", "7.0,3.2,4.7,versicolor", "6.3,3.3,6.0,virginica", "5.8,2.7,5.1,virginica"];
    writeFileSync(join(folder, "texts.csv"), `${header}\n${rows.join("\n")}\n`);
    const byName = await json("app pca texts.csv --columns sepal_length,sepal_width,petal_length --p 1");
    const byNumber = await json("app pca texts.csv --columns 1-3 --p 1");
    expect(byName.answer).toEqual(byNumber.answer);
    const problem = await json("solve pca --A texts.csv --columns 1-3 --p 1");
    expect(-2 * problem.fval).toBeCloseTo(byName.answer.variances[0], 12);

    const raw = await json("app pca texts.csv --columns 1-3 --p 1 --no-center");
    expect(raw.answer).toEqual((await json("app pca texts.csv --columns 1-3 --p 1 --no-centre")).answer);
    expect(raw.answer.variances[0]).toBeGreaterThan(2 * byName.answer.variances[0]);
    const scaled = await json("app pca texts.csv --columns 1-3 --p 1 --standardize");
    expect(scaled.answer.totalVariance).toBeCloseTo(3, 12);
  });

  test("solve --app is the same, with the options it had", async () => {
    await saveMatrix(join(folder, "turned.csv"), plain(new Ml([[0, -1, 1, 0], [1, 0, 0, 1]]))); // biome-ignore format: a matrix
    for (const [now, before] of [
      ["app mean-rotation turned.csv --kind median", "solve --app mean-rotation turned.csv --average median"],
      [
        `app robust-pca "${iris}" --columns 1-4 --p 1 --centre none`,
        `solve "${iris}" --app=robust-pca --columns 1-4 --p 1 --no-center`,
      ],
    ] as const) {
      expect((await json(before)).answer).toEqual((await json(now)).answer);
    }
  });

  test("mistakes are one sentence each, exit code 2", async () => {
    writeFileSync(join(folder, "x.csv"), "1,2\n3,4\n");
    writeFileSync(join(folder, "named.csv"), "height,kind\n3,tall\n");
    for (const [args, message] of [
      ["app pca named.csv --p 1", /column 2 has the text 'tall' .*'kind'.*--columns 1\.$/m],
      ["app pca named.csv --p 1 --columns hight", /--columns is 'hight'; did you mean 'height'\?/],
      ["solve pca --A x.csv --p 1 --center --no-centre", /--center and --no-centre contradict each other/],
      ["solve pca --columns 1 --p 1", /--columns: no file of numbers is given/],
      ["solve pca --A x.csv --m 7 --p 1", /m is 7 but says something of seeded data alone/],
      ["solve procrustes --A x.csv --p 1", /A is given but B is not/],
      ["app pcaa x.csv --p 1", /unknown command 'pcaa'; did you mean pca\?/],
      ["app zzzzzz", /unknown command 'zzzzzz'; add --help in its place to see the commands\./],
      ["solve --app pcaa x.csv --p 1", /unknown command 'pcaa'; did you mean pca\?/],
      ["solve --app", /--app: name an application; 'expen app --help' lists them/],
      ["app pca x.csv", /the option --p <number> is missing; add --help/],
      ["app pca --p 1", /the argument <data> is missing; add --help/],
      ["app align x.csv x.csv x.csv", /align takes 2 argument\(s\), not 3/],
      ["app pca x.csv --p 3", /p = 3 is above n = 2/],
      ["app pca x.csv --p 1 --columns 1-9", /--columns is '1-9'; .* from 1 to 2/],
      ["app pca x.csv --p 1 --reflections", /unknown option '--reflections'/],
      ["app pca x.csv --p 1 --atoms 2", /unknown option '--atoms'/],
      ["app discriminant x.csv --p 1 --labels 7", /labels is 7; it must be one column, by number from 1 to 2/],
      ["app rotation x.csv --kind varimaxx", /--kind 'varimaxx' is none of .*did you mean 'varimax'/],
      ["app sparse-pca x.csv --p 1 --weight 1 --solver rcg", /solver is 'rcg'; proximal maps are known to slpg alone/],
      ["app hartree-fock x.csv", /x\.csv: this is no FCIDUMP file/],
      ["app hartree-fock x.csv --columns 1", /unknown option '--columns'/],
      ["app tucker x.csv --ranks 2,2", /tucker: ranks/],
      ["app mean-rotation x.csv", /the file has 2 columns; a matrix a row takes 4, 9/],
      ["app max-cut x.csv", /max-cut: W is not symmetric at \(1, 0\)|node 0 has an edge to itself/],
      ["app eigen x.csv x.csv --p 1", /not symmetric/],
      ["solve noeig --ranks 1,1,1", /unknown option '--ranks'/],
      ["solve noeig --standardise", /unknown option '--standardise'/],
      ["solve noeig brockett", /solve takes 1 argument\(s\), not 2/],
      ["solve", /name a problem or a file/],
    ] as const) {
      const { code, stdout, stderr } = await expen(args, folder);
      expect([code, stdout], args).toEqual([2, ""]);
      expect(stderr, args).toMatch(message);
      expect(stderr.trim().split("\n"), args).toHaveLength(1);
    }
  });
});
