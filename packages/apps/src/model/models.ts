/** Models by kind, and their JSON */
import type { AlignAnswer } from "../align.js";
import type { CanonicalCorrelationAnswer } from "../canonical-correlation.js";
import type { DictionaryAnswer } from "../dictionary.js";
import type { DiscriminantAnswer } from "../discriminant.js";
import type { FactorRotationAnswer } from "../factor-rotation.js";
import type { IcaAnswer } from "../ica.js";
import type { NonnegativePcaAnswer } from "../nonnegative-pca.js";
import type { PcaAnswer } from "../pca.js";
import type { RobustPcaAnswer } from "../robust-pca.js";
import type { SparsePcaAnswer } from "../sparse-pca.js";
import type { TruncatedSvdAnswer } from "../truncated-svd.js";
import { fromJSON } from "./from-json.js";
import type { Model as AnyModel } from "./linear.js";

/** The answers that are models, by kind */
export interface Models {
  pca: PcaAnswer;
  "sparse-pca": SparsePcaAnswer;
  "nonnegative-pca": NonnegativePcaAnswer;
  "robust-pca": RobustPcaAnswer;
  ica: IcaAnswer;
  dictionary: DictionaryAnswer;
  svd: TruncatedSvdAnswer;
  discriminant: DiscriminantAnswer;
  rotation: FactorRotationAnswer;
  cca: CanonicalCorrelationAnswer;
  align: AlignAnswer;
}

/** JSON leaves out the run, and the fields that are as long as the training samples. */
type OfTraining =
  | "run"
  | "scores"
  | "distances"
  | "weights"
  | "sources"
  | "codes"
  | "U"
  | "firstScores"
  | "secondScores"
  | "aligned";

/** A model from its JSON: an answer without what belongs to the training samples */
export type StoredModel<K extends keyof Models> = Omit<Models[K], OfTraining> & {
  /** the strongest statement that was proved of the answer */
  readonly certificate: { readonly level: string; readonly text: string };
};

export type Model = AnyModel;

/** Models from JSON */
export const Model: {
  /**
   * The model in the text of `JSON.stringify(model)`, or in the object that it holds; `kind`: of which application it must be.
   *
   *     const model = Model.fromJSON(await readFile("model.json", "utf8"), "pca");
   *     model.transform(rows)
   */
  fromJSON<K extends keyof Models>(json: string | object, kind: K): StoredModel<K>;
  fromJSON(json: string | object): Model;
} = { fromJSON: fromJSON as never };
