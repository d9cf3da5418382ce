import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { runFile } from "@expen/testing/run-snippet";
import { expect, test } from "vitest";

const folder = fileURLToPath(new URL("../examples/", import.meta.url));
const files = readdirSync(folder).filter((name) => name.endsWith(".ts"));

/** The output of each example, with its known numbers */
const expected: Record<string, RegExp[]> = {
  "01-only-f.ts": [/^converged after \d+ iterations/, /eigenvalues: 5\.58809797/, /global minimum: B/],
  "02-own-gradient.ts": [/^converged: f = 3\.820747, second-order certificate/, /refused: entry \(3, 1\)/],
  "03-pca-from-csv.ts": [/component 1: 36\.2 %.*flavanoids/, /component 2: 19\.2 %/, /component 3: 11\.1 %/, /global/],
  "04-any-optimizer.ts": [/fmin: h = (-[\d.]+), after the projection f = \1\d*/, /: global/],
  "05-callbacks-and-abort.ts": [
    /k = 25/,
    /stage 2/,
    /end: gradient/,
    /aborted: .*minimum 21\.2086/,
    /value: \d+ of \d+ iterations/,
  ],
  "06-resume.ts": [/^iterations: stopped after 20/, /converged after \d+ more iterations: f = 11\.2113210\d/],
  "07-certificates.ts": [
    /^f = 1: stationary/,
    /saddle at f = 1, curvature -1\.000/,
    /0\.500000: global/,
    /0\.600000: second-order, lowest curvature 0\.600/,
  ],
  "08-preconditioner.ts": [/without P: \d{3,4} iterations, f = (-\d+\.\d+)\nwith P: {4}\d{1,3} iterations, f = \1/],
  "09-several-solvers.ts": [/^(\S+ +f − f\* = [\d.]+e-\d+ {2}global.*\n?){8}$/],
  "10-robust-pca.ts": [
    /principal components: 0\.5/,
    /robust components: {4}(1\.000|0\.99\d)/,
    /outliers, rows 100, 101, 102/,
  ],
  "11-sparse-pca.ts": [
    /1: variables 0, 1, 2, 3, 4;/,
    /2: variables 5, 6, 7, 8, 9;/,
    /75 % of the entries are zero; stationary certificate/,
  ],
  "12-ica.ts": [
    /square wave: correlation with a source (1\.000|0\.99)/,
    /saw tooth: correlation with a source (1\.000|0\.99)/,
    /spikes: correlation with a source (1\.000|0\.99)/,
  ],
  "13-align-points.ts": [/scale 2\.00/, /shift \(5\.00, -1\.00/, /angle 0\.(70|69)/, /global minimum/],
  "14-dictionary.ts": [/one: ((1\.000|0\.99\d) ?){8}\n/],
  "15-joint-diagonalization.ts": [/diagonals: \d\.\de-4/, /second-order/],
  "16-varimax.ts": [/alcohol +· +0\.86 +·/, /criterion 4\.460902, second-order/],
  "17-kohn-sham.ts": [/energy 35\.70857 /, /‖HX − XΛ‖ = \de-0?[6-9]|e-1\d/, /electrons 10\.000000/],
  "18-discriminant.ts": [/within: 23\.7636/, /at most (0e\+0|\de-\d+) below the maximum/],
  "19-hartree-fock.ts": [
    /energy -75\.98397447 hartree, PySCF -75\.98397447\n/,
    /Fock builds [678], PySCF's DIIS 11\n/,
    /^second-order/m,
  ],
  "20-generalized-eigenproblem.ts": [/= (\d+\.\d+), known \1\n/, /second-order/],
  "21-canonical-correlation.ts": [/correlation 0\.940969\n/, /second-order on product\(U: generalized-stiefel\(2, 1\)/],
  "22-tucker.ts": [/error (0\.\d+), at the start 0\.\d+\n/, /82 of 1800/, /gradient/],
  "23-svd-as-a-product.ts": [/U is 60×3, V is 40×3; certificate: second-order/, /= (\d+\.\d+), known \1$/],
  "24-matrix-completion.ts": [/hidden; all errors are below 1e-4: true/, /converged on grassmann\(50, 2\)/],
  "25-unitary.ts": [
    /swap of two qubits: fidelity of A⊗B 0\.250, second-order/,
    /turn of both: fidelity of A⊗B (1\.000|0\.99\d)/,
  ],
  "26-max-cut.ts": [
    /more than 12\.5000 edges, so none has more than 12\n/,
    /this cut has 12 edges, sides of the nodes: [01]{10}/,
    /oblique/,
  ],
  "27-average-rotation.ts": [
    /chordal: distance 0\.\d+ from/,
    /geodesic/,
    /median: distance 0\.0\d from .*second-order/,
  ],
  "28-own-product.ts": [/^converged, certificate: second-order/, /one: ((1\.000|0\.99\d) ?){8}$/],
  // how many products without P depends on whether the engine has LAPACK
  "29-preconditioned-eigenvectors.ts": [
    /without: f = (\S+), \d{4,5} products with B\nwith P: f = \1, \d{2,3} products/,
  ],
  "30-many-starts.ts": [/reached from ([2-9]|1\d|20) of 20 starts\n/, /200 of 200 clouds aligned; mean of R₁₂: 1\.00$/],
  "31-symplectic-stiefel.ts": [
    /^converged: distance 1\.3801, certificate: second-order\n/,
    /XᵀJX = J up to roundoff; X₁₁ = 2\.459$/,
  ],
  "32-parseval-frame.ts": [/^converged: Σ⟨x_i, x_j⟩⁴ = 0\.4375, certificate: second-order\nfeasible up to roundoff$/],
  // the bounds cost less than the signs
  "33-constraints-beside-the-manifold.ts": [
    /^any: 55\.4 % of the variance, global\n/,
    /\nbounded: 54\.4 % of the variance, second-order\n {2}11 weights are at a bound\n/,
    /\nnonnegative: 45\.2 % of the variance, second-order\n {2}alcohol, magnesium, total_phenols, .*, proline\n/,
    /\n {2}malic_acid, ash, alcalinity_of_ash, nonflavanoid_phenols, color_intensity$/,
  ],
};

test("every example has an expectation, and the other way round", () => {
  expect(files).toEqual(Object.keys(expected));
});

for (const name of files) {
  const source = readFileSync(folder + name, "utf8");
  test(`${name}: under 40 lines, imports only by package name, prints what it says`, async () => {
    expect(source.trimEnd().split("\n").length).toBeLessThan(40);
    expect(source).toMatch(/^\/\/ .*\n/);
    expect(source).not.toMatch(/from "\./);
    const printed = await runFile(folder + name);
    for (const pattern of expected[name] ?? []) expect(printed).toMatch(pattern);
  });
}
