/** Models from their JSON */
import { asMatrix, described, type HostMatrix, hostMatrix, nearest, ProblemError } from "@expen/linalg";
import { ofAlignment } from "./alignment.js";
import { ofClasses } from "./classifier.js";
import { FORMAT, type MatrixDocument, type ModelDocument } from "./document.js";
import { KINDS, type KindName } from "./kinds.js";
import type { Model } from "./linear.js";
import { modelOf } from "./model.js";
import { ofPair } from "./pair.js";

/** The methods by kind, where they are not those of an affine map */
const METHODS: { readonly [kind: string]: object } = { discriminant: ofClasses, cca: ofPair, align: ofAlignment };
/** Fields that are vectors, with a number for each column of the samples */
const VECTORS = ["centre", "scale", "translation"];

/** Fields that hold such vectors, of canonical correlations */
const SETS = ["firstSet", "secondSet"];

/**
 * The model in a text, or in an object that `JSON.parse` has made of one. `kind`: of which application it must be.
 *
 *     const model = Model.fromJSON(await readFile("model.json", "utf8"), "pca");
 *     model.transform(rows)
 */
export function fromJSON(json: string | object, kind?: string): Model {
  const document = documentFrom(json);
  const { format, kind: own, certificate, ...fields } = document;
  if (format !== FORMAT) {
    throw fault(
      `format is ${described(format)}; a model of expen has "${FORMAT}", as JSON.stringify(model) and --out model.json write it.`,
    );
  }
  if (!Object.hasOwn(KINDS, String(own))) throw fault(`kind is ${described(own)}; it must be one of ${kinds()}.`);
  if (kind !== undefined && kind !== own) {
    const guess = Object.hasOwn(KINDS, kind)
      ? ""
      : ` ('${kind}' is none; did you mean '${nearest(kind, Object.keys(KINDS))}'?)`;
    throw fault(`this is a model of ${own}, not of ${kind}${guess}; read it with Model.fromJSON(json, "${own}").`);
  }
  if (typeof certificate?.level !== "string") throw fault("the certificate is missing; write the model once more.");
  const read = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, fieldOf(name, value)]));
  requireParts(own, read);
  return modelOf(own, { ...read, certificate }, METHODS[own]);
}

const kinds = (): string => Object.keys(KINDS).join(", ");
const fault = (sentence: string): ProblemError => new ProblemError(`Model.fromJSON: ${sentence}`);

function documentFrom(json: string | object): ModelDocument {
  let document: unknown = json;
  if (typeof json === "string") {
    try {
      document = JSON.parse(json);
    } catch (error) {
      throw new ProblemError(`Model.fromJSON: this is no JSON document: ${(error as Error).message}.`, {
        cause: error,
      });
    }
  }
  if (typeof document === "object" && document !== null && !Array.isArray(document)) return document as ModelDocument;
  throw fault(`this is ${described(document)}; give the text of JSON.stringify(model), or the object in it.`);
}

function fieldOf(name: string, value: unknown): unknown {
  if (VECTORS.includes(name) && Array.isArray(value)) return vectorOf(name, value);
  // the two sets of variables of canonical correlations
  if (SETS.includes(name))
    return Object.fromEntries(Object.entries(Object(value)).map(([key, part]) => [key, fieldOf(key, part)]));
  const { rows, cols, data } = Object(value) as Partial<MatrixDocument>;
  if (rows === undefined || cols === undefined || !Array.isArray(data)) return value;
  try {
    return hostMatrix(asMatrix(value, { gaps: "refuse" }).matrix);
  } catch (error) {
    throw new ProblemError(`Model.fromJSON: ${name}: ${(error as Error).message}`, { cause: error });
  }
}

function vectorOf(name: string, value: readonly unknown[]): Float64Array {
  const bad = value.findIndex((v) => typeof v !== "number");
  if (bad < 0) return Float64Array.from(value as number[]);
  throw fault(`entry ${bad} of ${name} is ${described(value[bad])}; it must be a number.`);
}

/** Throws unless the maps are there and fit together. */
function requireParts(kind: KindName, fields: { readonly [name: string]: unknown }): void {
  const { analysis, synthesis } = KINDS[kind];
  const [W, V] = [fields[analysis], fields[synthesis]] as (HostMatrix | undefined)[];
  // the loadings of a factor rotation need no data
  if (kind === "rotation" && !W) return;
  if (!W?.toRows || !V?.toRows) throw fault(`the matrix '${W?.toRows ? synthesis : analysis}' is missing.`);
  if ((W.rows !== V.rows && kind !== "cca") || W.cols !== V.cols) {
    throw fault(`${analysis} is ${W.rows}×${W.cols} and ${synthesis} ${V.rows}×${V.cols}; they must be of one shape.`);
  }
  if (
    kind === "discriminant" &&
    (fields.centroids as HostMatrix | undefined)?.rows !== (fields.classes as unknown[])?.length
  ) {
    throw fault("the means of the classes are missing; write the model once more.");
  }
  for (const name of [...VECTORS, "names"]) {
    const length = (fields[name] as Partial<ArrayLike<unknown>> | undefined)?.length;
    if (length !== undefined && length !== W.rows) {
      throw fault(`${name} has ${length} entries, ${analysis} has ${W.rows} rows; there must be as many.`);
    }
  }
}
