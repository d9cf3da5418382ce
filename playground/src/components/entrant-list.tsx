/** The start list: solvers with their options, from the catalogue. */
import { change, setting } from "../address.js";
import { catalogue } from "../client.js";
import { readEntrants, writeEntrants } from "../entrants.js";
import { look } from "../palette.js";
import type { Entrant } from "../protocol.js";
import { dark } from "../theme.js";
import { Swatch } from "./swatch.js";

const MOST = 12;
const BETAS = ["auto", "paper", "cdopt", "theory", "0.1", "1", "10"];

export function EntrantList({ absent }: { absent: string }) {
  const known = catalogue.value;
  const entrants = readEntrants(setting("solvers", absent));
  const write = (list: Entrant[]): void => {
    const text = writeEntrants(list);
    change({ solvers: text === absent ? undefined : text, hide: undefined, run: undefined });
  };
  const put = (i: number, entrant: Entrant): void => write(entrants.map((e, j) => (j === i ? entrant : e)));
  const options = (solver: string): string[] => known?.solvers.find((s) => s.name === solver)?.options ?? [];

  return (
    <fieldset class="entrants">
      <legend>Solvers</legend>
      <ul>
        {entrants.map((entrant, i) => (
          <li key={i}>
            <Swatch look={look(i, dark.value)} />
            <select
              aria-label={`Solver ${i + 1}`}
              title={known?.solvers.find((s) => s.name === entrant.solver)?.title}
              value={entrant.solver}
              onChange={(event) => put(i, { solver: event.currentTarget.value, options: {} })}
            >
              {!known?.solvers.some((s) => s.name === entrant.solver) && (
                <option value={entrant.solver}>{entrant.solver} (unknown)</option>
              )}
              {known?.solvers.map((s) => (
                <option key={s.name} value={s.name} title={s.title}>
                  {s.name}
                </option>
              ))}
            </select>
            <button
              type="button"
              class="quiet"
              aria-label={`Take ${entrant.solver} out`}
              disabled={entrants.length < 2}
              onClick={() => write(entrants.filter((_, j) => j !== i))}
            >
              ×
            </button>
            <div class="options">
              <OptionInputs entrant={entrant} reads={options(entrant.solver)} put={(e) => put(i, e)} />
            </div>
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
              known!.solvers.map((s) => s.name),
            ),
          ])
        }
      >
        Add a solver
      </button>
    </fieldset>
  );
}

/** The first solver that is not in the race yet. */
const fresh = (entrants: Entrant[], names: string[]): Entrant => ({
  solver: names.find((name) => !entrants.some((e) => e.solver === name)) ?? names[0]!,
  options: {},
});

function OptionInputs({ entrant, reads, put }: { entrant: Entrant; reads: string[]; put: (e: Entrant) => void }) {
  const set = (name: string, value: string): void =>
    put({ ...entrant, options: { ...entrant.options, [name]: value.trim() } });
  const variants = catalogue.value?.solvers.find((s) => s.name === entrant.solver)?.variants ?? [];
  return (
    <>
      {reads.includes("beta") && (
        <label class="inline">
          <abbr title="Penalty parameter: auto, paper, cdopt, theory or a number">β</abbr>
          <input
            type="text"
            list="betas"
            placeholder="auto"
            size={8}
            aria-label={`β of ${entrant.solver}`}
            value={entrant.options.beta ?? ""}
            onChange={(event) => set("beta", event.currentTarget.value)}
          />
          <datalist id="betas">
            {BETAS.map((b) => (
              <option key={b} value={b} />
            ))}
          </datalist>
        </label>
      )}
      {reads.includes("rule") && (
        <select
          aria-label={`Rule of ${entrant.solver}`}
          value={entrant.options.rule ?? ""}
          onChange={(event) => set("rule", event.currentTarget.value)}
        >
          <option value="">rule: usual</option>
          {catalogue.value?.rules.map((r) => (
            <option key={r}>{r}</option>
          ))}
        </select>
      )}
      {reads.includes("variant") && variants.length > 0 && (
        <select
          aria-label={`Variant of ${entrant.solver}`}
          value={entrant.options.variant ?? ""}
          onChange={(event) => set("variant", event.currentTarget.value)}
        >
          <option value="">variant: usual</option>
          {variants.map((v) => (
            <option key={v}>{v}</option>
          ))}
        </select>
      )}
    </>
  );
}
