/** Inputs that write into the address. */
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { change, setting } from "../address.js";

interface Named {
  name: string;
  label: ComponentChildren;
  absent: string;
  help?: string;
}

const write = (name: string, absent: string, value: string): void =>
  change({ [name]: value === absent ? undefined : value, run: undefined });

export function NumberField({
  name,
  label,
  absent,
  help,
  min,
  max,
  step,
}: Named & { min?: number; max?: number; step?: string }) {
  const id = useId();
  return (
    <div class="field">
      <label for={id} title={help}>
        {label}
      </label>
      <input
        id={id}
        type="number"
        inputMode="decimal"
        min={min}
        max={max}
        step={step ?? "any"}
        value={setting(name, absent)}
        onChange={(event) => write(name, absent, event.currentTarget.value || absent)}
      />
    </div>
  );
}

export function TextField({ name, label, absent, help, list }: Named & { list?: string[] }) {
  const id = useId();
  return (
    <div class="field">
      <label for={id} title={help}>
        {label}
      </label>
      <input
        id={id}
        type="text"
        list={list ? `${id}-list` : undefined}
        value={setting(name, absent)}
        onChange={(event) => write(name, absent, event.currentTarget.value || absent)}
      />
      {list && (
        <datalist id={`${id}-list`}>
          {list.map((v) => (
            <option key={v} value={v} />
          ))}
        </datalist>
      )}
    </div>
  );
}

export function SelectField({
  name,
  label,
  absent,
  help,
  choices,
}: Named & { choices: { value: string; label: string }[] }) {
  const id = useId();
  return (
    <div class="field">
      <label for={id} title={help}>
        {label}
      </label>
      <select
        id={id}
        value={setting(name, absent)}
        onChange={(event) => write(name, absent, event.currentTarget.value)}
      >
        {choices.map((c) => (
          <option key={c.value} value={c.value}>
            {c.label}
          </option>
        ))}
      </select>
    </div>
  );
}

/** A few choices side by side. */
export function Segments({ name, label, absent, choices }: Named & { choices: { value: string; label: string }[] }) {
  const current = setting(name, absent);
  return (
    <fieldset class="segments">
      <legend>{label}</legend>
      <div>
        {choices.map((c) => (
          <label key={c.value} class={c.value === current ? "chosen" : ""}>
            <input
              type="radio"
              name={name}
              checked={c.value === current}
              onChange={() => change({ [name]: c.value === absent ? undefined : c.value })}
            />
            {c.label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

export function SliderField({
  name,
  label,
  absent,
  values,
  text,
}: Named & { values: string[]; text?: (v: string) => string }) {
  const id = useId();
  const current = setting(name, absent);
  const at = Math.max(0, values.indexOf(current));
  return (
    <div class="field slider">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="range"
        min={0}
        max={values.length - 1}
        step={1}
        value={at}
        aria-valuetext={text ? text(current) : current}
        onInput={(event) => write(name, absent, values[Number(event.currentTarget.value)]!)}
      />
      <output for={id}>{text ? text(current) : current}</output>
    </div>
  );
}
