/** A constraint beside the manifold, for every entry of X */
import { setting } from "../address.js";
import type { SubjectSpec } from "../protocol.js";
import { NumberField, SelectField } from "./fields.js";

const NONE = "none";
/** Bounds that the page begins with */
const [LOWER, UPPER] = ["-0.5", "0.5"];

/** The constraint as the address has it */
export function subjectSpec(): SubjectSpec | undefined {
  const kind = setting("subject", NONE);
  if (kind === "nonnegative") return { kind };
  if (kind !== "bounds") return undefined;
  return { kind, lower: Number(setting("lower", LOWER)), upper: Number(setting("upper", UPPER)) };
}

export function SubjectFields() {
  return (
    <>
      <SelectField
        name="subject"
        label="Entries of X"
        absent={NONE}
        help="a constraint beside the manifold"
        choices={[
          { value: NONE, label: "any" },
          { value: "nonnegative", label: "X ≥ 0" },
          { value: "bounds", label: "lower ≤ X ≤ upper" },
        ]}
      />
      {subjectSpec()?.kind === "bounds" && (
        <div class="grid2">
          <NumberField name="lower" label="lower" absent={LOWER} step="any" help="the least entry of X" />
          <NumberField name="upper" label="upper" absent={UPPER} step="any" help="the largest entry of X" />
        </div>
      )}
      {subjectSpec() && <p class="note">The solver auto has a method for it; the others take no constraints.</p>}
    </>
  );
}
