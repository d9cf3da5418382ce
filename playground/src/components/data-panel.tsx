/** Places to drop files: one table for principal components, two for Procrustes. */
import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { change, query } from "../address.js";
import { ask } from "../client.js";
import type { Table } from "../protocol.js";
import { fingerprint, packTable, unpackTable, type Wanted } from "../shared-tables.js";

type Slot = "A" | "B";

export const tables = signal<Partial<Record<Slot, Table>>>({});
const expectedTables = signal<Partial<Record<Slot, Wanted>>>({});
const messages = signal<Partial<Record<Slot, string>>>({});

const say = (slot: Slot, text: string): void => {
  messages.value = { ...messages.value, [slot]: text };
};

async function take(slot: Slot, file: File): Promise<void> {
  try {
    const { table, notes } = await ask((remote) => remote.table(file), 60_000);
    const expected = expectedTables.value[slot];
    const other = expected && fingerprint(table) !== expected.fingerprint;
    tables.value = { ...tables.value, [slot]: table };
    say(
      slot,
      [
        ...notes.map((n) => `${n}.`),
        ...(other ? [`These numbers differ from those of ${expected.name} in the link; the results will differ.`] : []),
      ].join(" "),
    );
    change({ [slot]: await packTable(table), run: undefined });
  } catch (error) {
    say(slot, (error as Error).message);
  }
}

/** Reads the tables that the address contains. */
export async function restoreTables(): Promise<void> {
  for (const slot of ["A", "B"] as const) {
    const text = query.value[slot];
    if (!text || tables.value[slot]) continue;
    try {
      const content = await unpackTable(text);
      if ("table" in content) tables.value = { ...tables.value, [slot]: content.table };
      else {
        expectedTables.value = { ...expectedTables.value, [slot]: content.wanted };
        const { name, rows, cols } = content.wanted;
        say(
          slot,
          `This link was made with ${name} (${rows}×${cols}), which is too large for a link: drop that file here.`,
        );
      }
    } catch (error) {
      say(slot, (error as Error).message);
    }
  }
}

export function DataPanel({ slots }: { slots: readonly Slot[] }) {
  useEffect(() => {
    restoreTables();
  }, []);
  return (
    <>
      {slots.map((slot) => (
        <DropZone key={slot} slot={slot} />
      ))}
    </>
  );
}

function DropZone({ slot }: { slot: Slot }) {
  const [over, setOver] = useState(false);
  const table = tables.value[slot];
  const id = `file-${slot}`;
  return (
    <fieldset
      class={over ? "drop over" : "drop"}
      data-slot={slot}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const file = event.dataTransfer?.files[0];
        if (file) take(slot, file);
      }}
    >
      <label for={id}>
        {table ? (
          <>
            <b>{slot}</b>: {table.name}, {table.rows}×{table.cols}
          </>
        ) : (
          <>
            Drop <b>{slot}</b> as .csv or .npy here, one sample a row
          </>
        )}
      </label>
      <input
        id={id}
        type="file"
        accept=".csv,.tsv,.txt,.npy"
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          if (file) take(slot, file);
        }}
      />
      <p class="note" role="status">
        {messages.value[slot]}
      </p>
    </fieldset>
  );
}
