/** Measured data: the wines beside the examples; digits and tumours after `npm run bench:setup`. Seeds draw the start. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readCsv, readNpy } from "@expen/data";
import type { Matrix } from "@expen/linalg";
import { plain, plainProduct, plainTranspose } from "@expen/linalg";
import { ROOT } from "../peers.js";
import { robust } from "./components.js";
import { centred, entries, scaledBy, standardized } from "./draw.js";
import type { Data, Family } from "./family.js";
import { traceRatio } from "./forms.js";

interface Labelled {
  samples: Matrix;
  labels: number[];
}

/** The last column is the class. */
function labelled({ rows, cols, data }: Matrix): Labelled {
  return {
    samples: standardized(entries(rows, cols - 1, (i, j) => data[i * cols + j]!)),
    labels: Array.from({ length: rows }, (_, i) => data[i * cols + cols - 1]!),
  };
}

const wine = (): Labelled => labelled(readCsv(readFileSync(join(ROOT, "examples/data/wine.csv"), "utf8")).matrix);

/** Scatter between the classes, A, and within them, B. */
function scatters({ samples, labels }: Labelled): Data {
  const { rows, cols } = samples;
  const means = plain(rows, cols);
  for (const label of new Set(labels)) {
    const members = labels.flatMap((other, i) => (other === label ? [i] : []));
    for (let j = 0; j < cols; j++) {
      const mean = members.reduce((sum, i) => sum + samples.data[i * cols + j]!, 0) / members.length;
      for (const i of members) means.data[i * cols + j] = mean;
    }
  }
  const covariance = (A: Matrix): Matrix => scaledBy(1 / rows, plainProduct(plainTranspose(A), A));
  const within = { ...samples, data: samples.data.map((v, k) => v - means.data[k]!) };
  return { A: covariance(means), B: covariance(within) };
}

const FOLDER = join(ROOT, ".expen/data");
const installed = (name: string): Matrix => readNpy(readFileSync(join(FOLDER, `${name}.npy`))).matrix;
const isInstalled = ({ name }: { name: string }): boolean => existsSync(join(FOLDER, `${name}.npy`));

const always: Family[] = [
  {
    name: "wine-discriminant",
    formula: "−⟨X, AX⟩/⟨X, BX⟩, scatters between and within three wines",
    sizes: [
      [13, 2],
      [13, 5],
    ],
    draw: () => scatters(wine()),
    on: traceRatio,
  },
  {
    name: "wine-robust-pca",
    formula: "mean of √(‖y‖² − ‖Xᵀy‖² + 0.01), 178 wines",
    sizes: [
      [13, 3],
      [13, 7],
    ],
    draw: () => ({ Y: wine().samples }),
    on: robust,
  },
];

const wherePresent = [
  {
    name: "digits",
    family: {
      name: "digits-robust-pca",
      formula: "mean of √(‖y‖² − ‖Xᵀy‖² + 0.01), 1797 digits",
      sizes: [
        [64, 5],
        [64, 20],
      ],
      draw: () => ({ Y: scaledBy(1 / 16, centred(installed("digits"))) }),
      on: robust,
    } satisfies Family,
  },
  {
    name: "breast-cancer",
    family: {
      name: "tumour-discriminant",
      formula: "−⟨X, AX⟩/⟨X, BX⟩, scatters between and within two kinds of tumours",
      sizes: [
        [30, 2],
        [30, 10],
      ],
      draw: () => scatters(labelled(installed("breast-cancer"))),
      on: traceRatio,
    } satisfies Family,
  },
];

export const realData: Family[] = [...always, ...wherePresent.filter(isInstalled).map(({ family }) => family)];
