/** The list of solvers in a race, with their options. */
import { change, setting } from "../address.js";
import { catalogue } from "../client.js";
import { readEntrants, writeEntrants } from "../entrants.js";
import { look } from "../palette.js";
import type { Entrant, OptionField } from "../protocol.js";
import { dark } from "../theme.js";
import { Swatch } from "./swatch.js";

/** most solvers in a race: the curves of more could not be told apart */
const MOST = 12;

/** `on`: the manifold of X. Solvers that are not defined there cannot be chosen; a sentence says why. */
export function EntrantList({ absent, on }: { absent: string; on: string }) {
  const known = catalogue.value;
  const refusals = known?.refusals[on] ?? {};
  const entrants = readEntrants(setting("solvers", absent));
  const write = (list: Entrant[]): void => {
    const text = writeEntrants(list);
    change({ solvers: text === absent ? undefined : text, hide: undefined, run: undefined });
  };
  const put = (i: number, entrant: Entrant): void => write(entrants.map((e, j) => (j === i ? entrant : e)));
  const fields = (solver: string): OptionField[] => known?.solvers.find((s) => s.name === solver)?.options ?? [];

  return (
    <fieldset class="entrants">
      <legend>Solvers</legend>
      <ul>
        {entrants.map((entrant, i) => (
          <li key={i} class={entrant.solver in refusals ? "refused" : ""}>
            <Swatch look={look(i, dark.value)} />
            <select
              aria-label={`Solver ${i + 1}`}
              title={refusals[entrant.solver] ?? known?.solvers.find((s) => s.name === entrant.solver)?.title}
              value={entrant.solver}
              onChange={(event) => put(i, { solver: event.currentTarget.value, options: {} })}
            >
              {!known?.solvers.some((s) => s.name === entrant.solver) && (
                <option value={entrant.solver}>{entrant.solver} (unknown)</option>
              )}
              {known?.solvers.map((s) => (
                <option key={s.name} value={s.name} title={refusals[s.name] ?? s.title} disabled={s.name in refusals}>
                  {s.name}
                </option>
              ))}
            </select>
            <button
              type="button"
              class="quiet"
              aria-label={`Remove ${entrant.solver}`}
              disabled={entrants.length < 2}
              onClick={() => write(entrants.filter((_, j) => j !== i))}
            >
              ×
            </button>
            {entrant.solver in refusals && <p class="note">{refusals[entrant.solver]}</p>}
            <Options entrant={entrant} fields={fields(entrant.solver)} put={(e) => put(i, e)} />
          </li>
        ))}
      </ul>
      <button
        type="button"
        disabled={entrants.length >= MOST || !known}
        onClick={() =>
          write([
            ...entrants,
            fresh(
              entrants,
              known!.solvers.map((s) => s.name).filter((name) => !(name in refusals)),
            ),
          ])
        }
      >
        Add a solver
      </button>
    </fieldset>
  );
}

/** An entrant with the first solver that is not in the race yet */
const fresh = (entrants: Entrant[], names: string[]): Entrant => ({
  solver: names.find((name) => !entrants.some((e) => e.solver === name)) ?? names[0]!,
  options: {},
});

/** The options of a solver, folded; the headline lists those that differ from the defaults. */
function Options({ entrant, fields, put }: { entrant: Entrant; fields: OptionField[]; put: (e: Entrant) => void }) {
  const set = (name: string, value: string): void =>
    put({ ...entrant, options: { ...entrant.options, [name]: value.trim() } });
  if (fields.length === 0) return null;
  const differing = fields.flatMap(({ name, label }) =>
    entrant.options[name] ? `${label} ${entrant.options[name]}` : [],
  );
  const chosen = differing.join(", ") || "options";
  return (
    <details class="options">
      <summary aria-label={`Options of ${entrant.solver}: ${chosen}`}>{chosen}</summary>
      <div>
        {fields.map((field) => (
          <OptionInput
            key={field.name}
            {...field}
            solver={entrant.solver}
            value={entrant.options[field.name] ?? ""}
            set={(value) => set(field.name, value)}
          />
        ))}
      </div>
    </details>
  );
}

function OptionInput({
  name,
  label,
  help,
  names,
  fixed,
  absent,
  solver,
  value,
  set,
}: OptionField & { solver: string; value: string; set: (value: string) => void }) {
  const caption = `${label[0]!.toUpperCase()}${label.slice(1)} of ${solver}`;
  if (fixed) {
    return (
      <select aria-label={caption} title={help} value={value} onChange={(event) => set(event.currentTarget.value)}>
        <option value="">
          {label}: {absent}
        </option>
        {names.map((n) => (
          <option key={n}>{n}</option>
        ))}
      </select>
    );
  }
  const list = names.length > 0 ? `names-${name}` : undefined;
  return (
    <label class="inline">
      <abbr title={help}>{label}</abbr>
      <input
        type="text"
        list={list}
        placeholder={absent}
        size={list ? 8 : 5}
        aria-label={caption}
        value={value}
        onChange={(event) => set(event.currentTarget.value)}
      />
      {list && (
        <datalist id={list}>
          {names.map((n) => (
            <option key={n} value={n} />
          ))}
        </datalist>
      )}
    </label>
  );
}
