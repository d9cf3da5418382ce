/** Examples of the reference for `expen/apps`; site/build/examples.ts says how they are written. */

import { random } from "expen";
import {
  align,
  canonicalCorrelation,
  clusters,
  completion,
  dictionary,
  discriminant,
  factorRotation,
  fockOperator,
  generalizedEigen,
  graphPartition,
  hartreeFock,
  hartreeFockEnergy,
  ica,
  jointDiagonalization,
  lowestOrbitals,
  Model,
  maxCut,
  meanRotation,
  nonnegativePca,
  pca,
  procrustes,
  robustPca,
  sparsePca,
  truncatedSvd,
  tucker,
} from "expen/apps";
import { loadMolecule } from "expen/data";
import { jsEngine } from "expen/engines";
import { gaussian } from "expen/problems";

// pca
{
  const rows = [[5.1, 3.5, 1.4], [4.9, 3.0, 1.4], [7.0, 3.2, 4.7], [6.4, 3.2, 4.5]]; // biome-ignore format: a matrix
  const { explained, run } = await pca(rows, { p: 2 });
  console.log(explained.map((v) => v.toFixed(3)).join(" "), run.certificate.level); // 0.983 0.012 global
}

// ica
{
  const times = Array.from({ length: 1000 }, (_, i) => i / 50);
  const recorded = times.map((t) => [Math.sin(3 * t) + 0.4 * (t % 1), 0.6 * Math.sin(3 * t) + (t % 1)]);
  const { sources } = await ica(recorded);
  console.log(sources.rows, sources.cols); // 1000 2
}

// align
{
  const [source, target] = [[[0, 0], [2, 0], [0, 1]], [[5, 5], [5, 7], [4, 5]]]; // biome-ignore format: points
  const { rotation, translation, rms } = await align(source, target);
  console.log(
    Array.from(rotation.data, Math.round).join(" "),
    Array.from(translation, Math.round).join(" "),
    rms < 1e-9,
  ); // 0 1 -1 0 5 5 true
}

// procrustes
{
  const A = [[1, 0], [0, 2], [1, 1]]; // biome-ignore format: a matrix
  const B = [[0, 1], [2, 0], [1, 1]]; // biome-ignore format: a matrix
  const { X, residual } = await procrustes(A, B);
  console.log(Array.from(X.data, Math.round).join(" "), residual < 1e-9); // 0 1 1 0 true
}

// factorRotation
{
  const loadings = [[0.6, 0.6], [0.5, 0.6], [0.6, -0.5], [0.5, -0.6]]; // biome-ignore format: a matrix
  const rotated = await factorRotation(loadings, { kind: "varimax" });
  console.log(Array.from(rotated.loadings.data, (v) => Math.abs(v) > 0.5).join(" ")); // true false true false false true false true
}

// robustPca, sparsePca
{
  // twelve points near a line, and one that is wrong
  const rows = Array.from({ length: 12 }, (_, i) => [i, i + 0.1 * Math.sin(i), 0.1 * Math.cos(3 * i)]);
  const { weights } = await robustPca([...rows, [6, 6, 20]], { p: 1 });
  console.log(weights.indexOf(Math.min(...weights))); // 12
  const { support } = await sparsePca(rows, { p: 1, weight: 0.2 });
  console.log(support[0]!.join(" ")); // 0 1
}

// discriminant
{
  const rows = [[0, 1], [0.1, 3], [0, 5], [1, 1], [1.1, 3], [1, 5.1]]; // biome-ignore format: a matrix
  const { directions } = await discriminant(rows, [0, 0, 0, 1, 1, 1], { p: 1 });
  console.log(Math.abs(directions.data[0]!) > 0.99); // true
}

// canonicalCorrelation
{
  const rows = Array.from({ length: 40 }, (_, i) => [Math.sin(i), Math.cos(2 * i), Math.sin(3 * i)]);
  const first = rows.map(([a, b]) => [a! + b!, b!]);
  const second = rows.map(([a, , c]) => [a! - c!, c!]);
  const { correlations } = await canonicalCorrelation(first, second, { p: 1 });
  console.log(correlations[0]!.toFixed(4)); // 1.0000
}

// completion, truncatedSvd
{
  // of rank 1; NaN is not known
  const known = [[1, 2, Number.NaN], [2, 4, 6], [Number.NaN, 6, 9]]; // biome-ignore format: a matrix
  const { completed } = await completion(known, { p: 1, ridge: 1e-12 });
  console.log(Array.from(completed.data, (v) => v.toFixed(2)).join(" ")); // 1.00 2.00 3.00 2.00 4.00 6.00 3.00 6.00 9.00
  const { values } = await truncatedSvd([[3, 0], [0, 2], [0, 0]], { p: 2 }); // biome-ignore format: a matrix
  console.log(values.map((v) => v.toFixed(4)).join(" ")); // 3.0000 2.0000
}

// dictionary
{
  const r = random(1, "codes");
  // each sample is a multiple of one of two orthonormal atoms
  const samples = Array.from({ length: 200 }, (_, i) => {
    const v = r.normal();
    return i % 2 ? [0.6 * v, 0.8 * v] : [-0.8 * v, 0.6 * v];
  });
  const { atoms } = await dictionary(samples);
  console.log(
    Array.from(atoms.data, (v) => Math.abs(v).toFixed(2))
      .sort()
      .join(" "),
  ); // 0.60 0.60 0.80 0.80
}

// jointDiagonalization
{
  const matrices = [[[2, 1], [1, 2]], [[5, -2], [-2, 5]]]; // biome-ignore format: matrices
  const { X, offDiagonal } = await jointDiagonalization(matrices);
  console.log(Array.from(X.data, (v) => Math.abs(v).toFixed(4)).join(" "), offDiagonal < 1e-12); // 0.7071 0.7071 0.7071 0.7071 true
}

// generalizedEigen
{
  const { values } = await generalizedEigen([[1, 0], [0, 6]], [[4, 0], [0, 1]], { p: 1 }); // biome-ignore format: matrices
  console.log(values[0]!.toFixed(6)); // 0.250000
}

// maxCut
{
  // a square: all four edges are cut
  const { cut, sides, bound } = await maxCut([[0, 1, 0, 1], [1, 0, 1, 0], [0, 1, 0, 1], [1, 0, 1, 0]]); // biome-ignore format: a matrix
  console.log(cut, sides[0] === sides[2], bound.toFixed(3)); // 4 true 4.000
}

// graphPartition
{
  // a ring of eight nodes falls into two arcs
  const ring = Array.from({ length: 8 }, (_, i) =>
    Array.from({ length: 8 }, (_, j) => (Math.abs(i - j) % 6 === 1 ? 1 : 0)),
  );
  const { cut, sizes, bound } = await graphPartition(ring);
  console.log(cut, sizes.join(), bound.toFixed(2)); // 2 4,4 1.17
}

// meanRotation
{
  const turn = (a: number) => [[Math.cos(a), -Math.sin(a)], [Math.sin(a), Math.cos(a)]]; // biome-ignore format: a matrix
  const { rotation } = await meanRotation([turn(0.1), turn(0.3)]);
  console.log(Math.atan2(rotation.data[2]!, rotation.data[0]!).toFixed(4)); // 0.2000
}

// tucker
{
  const slices = [gaussian(4, 3, random(1)), gaussian(4, 3, random(2))];
  const { core, relativeError } = await tucker(slices, { ranks: [4, 3, 2] });
  console.log(core.length, relativeError < 1e-6); // 2 true
}

// hartreeFock
{
  const molecule = await loadMolecule("examples/data/molecules/H2O-sto-3g.npz");
  const { energy, occupied } = await hartreeFock(molecule);
  console.log(energy.toFixed(6), occupied); // -74.963023 5
}

// Model
{
  const model = await pca([[1, 2], [2, 4.1], [3, 5.9]], { p: 1 }); // biome-ignore format: a matrix
  const again = Model.fromJSON(JSON.stringify(model), "pca");
  console.log(again.transform([[2, 4]]).data[0] === model.transform([[2, 4]]).data[0]); // true
}

// clusters, nonnegativePca
{
  const rows = [[0, 0], [0.1, 0], [5, 5], [5, 5.1], [0, 0.1]]; // biome-ignore format: points
  const { labels } = await clusters(rows, { p: 2 });
  console.log(labels[0] === labels[1], labels[0] === labels[4], labels[2] === labels[3], labels[0] === labels[2]); // true true true false
  const { components } = await nonnegativePca(rows, { p: 1 });
  console.log(components.data.every((v) => v >= 0)); // true
}

// fockOperator, hartreeFockEnergy, lowestOrbitals
{
  // the energy at the lowest orbitals of the core Hamiltonian
  const E = jsEngine();
  const molecule = await loadMolecule("examples/data/molecules/H2O-sto-3g.npz");
  const fock = fockOperator(E, molecule);
  const { objective } = hartreeFockEnergy(E, fock, { p: molecule.occupied, nuclear: molecule.nuclear }, () => {});
  const X = lowestOrbitals(E, fock.h, molecule.occupied);
  console.log(objective.f(X).toFixed(4), fock.builds); // -73.2327 1
}
