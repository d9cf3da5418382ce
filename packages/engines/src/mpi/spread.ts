import type { Small, Tall } from "@expen/linalg";
import { EngineError } from "@expen/linalg";
import type { Kind, Owned } from "@expen/linalg/engine";

/** A matrix of the `mpi` engine: of a tall one the rows of this rank, of a small one all. Both are matrices of the inner engine. */
export class Spread implements Owned {
  readonly at = 0;
  /** for those who speak of it without holding it */
  readonly weak: WeakRef<Spread> = new WeakRef<Spread>(this);
  /** when it was last written, in writes of the engine; +∞ where others may write it */
  writtenAt = 0;
  /** of a small one: its numbers are those of this rank alone, and their sum is on its way */
  pending = false;
  constructor(
    readonly rows: number,
    readonly cols: number,
    readonly owner: object,
    readonly kind: Kind,
    readonly inner: Tall | Small,
    readonly id: number,
  ) {}
  get data(): Float64Array {
    throw new EngineError(
      `data: the rows of this ${this.rows}×${this.cols} matrix lie on several ranks; take those of this one with rowsOf(E, X), ` +
        "or use engine operations.",
    );
  }
}
