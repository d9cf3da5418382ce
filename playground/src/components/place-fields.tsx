/** The manifold of X, and its sizes */
import { change, setting } from "../address.js";
import { placeOf, places, STIEFEL, shapeOn } from "../places.js";
import { NumberField, SelectField } from "./fields.js";

export const chosenPlace = (): string => setting("on", STIEFEL);

/** n, p and `on` as the address has them */
export function placeSpec(n: string, p: string): { n: number; p: number; on?: string } {
  const on = chosenPlace();
  const shape = shapeOn(on, Number(setting("n", n)), Number(setting("p", p)));
  return { ...shape, ...(on !== STIEFEL && { on }) };
}

/** `several`: with places whose points have several matrices */
export function PlaceFields({ n, p, several = false }: { n: string; p: string; several?: boolean }) {
  const on = chosenPlace();
  const known = placeOf(on);
  const offered = places.filter(({ parts }) => several || !parts);
  return (
    <>
      <SelectField
        name="on"
        label="Manifold of X"
        absent={STIEFEL}
        help="where the minimum is looked for"
        choices={[
          ...offered.map(({ name, label }) => ({ value: name, label })),
          ...(offered.some(({ name }) => name === on) ? [] : [{ value: on, label: `${on} (unknown)` }]),
        ]}
      />
      {on === "generalized-stiefel" && (
        <p class="summary">B is the mass matrix of linear finite elements, tridiagonal (1, 4, 1)/6.</p>
      )}
      {known?.parts && (
        <p class="summary">
          Here X has several matrices: write {known.parts.map((part) => `X.${part}`).join(" and ")}.
        </p>
      )}
      <div class="grid3">
        <NumberField name="n" label="n" absent={n} min={1} step="1" help="rows of X" />
        {(known?.columns ?? "p") === "p" && (
          <NumberField name="p" label="p" absent={p} min={1} step="1" help="columns of X" />
        )}
        <NumberField name="seed" label="Seed" absent="1" step="1" help="of the random data and of the start" />
      </div>
      {on === "euclidean" && (
        <p class="note">
          Nothing keeps X bounded here: an f without a lowest value runs away.{" "}
          <button type="button" class="quiet" onClick={() => change({ on: undefined })}>
            Back to orthonormal columns
          </button>
        </p>
      )}
    </>
  );
}
