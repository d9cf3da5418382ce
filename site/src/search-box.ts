/** The dialog of the search: a field and its hits, by keyboard or pointer. */
import type { Row } from "../build/search-index.js";
import { type Hit, search } from "./search.js";

declare global {
  var searchRows: Row[] | undefined;
}

const base = (): string => document.body.dataset.root ?? "";

/** The index is a script that is loaded when the search is opened first. */
const loadRows = (): Promise<Row[]> =>
  new Promise((resolve, reject) => {
    if (globalThis.searchRows) return resolve(globalThis.searchRows);
    const script = document.createElement("script");
    script.src = `${base()}search-rows.js`;
    script.onload = () => resolve(globalThis.searchRows ?? []);
    script.onerror = () => reject(new Error("search-rows.js could not be loaded"));
    document.head.append(script);
  });

const element = <K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Partial<HTMLElementTagNameMap[K]> = {},
): HTMLElementTagNameMap[K] => Object.assign(document.createElement(tag), properties);

function option({ url, page, heading, excerpt }: Hit, i: number): HTMLAnchorElement {
  const link = element("a", { id: `hit-${i}`, className: "hit", href: base() + url, tabIndex: -1 });
  link.setAttribute("role", "option");
  link.append(
    element("strong", { textContent: heading || page }),
    element("span", { textContent: heading ? page : "" }),
    element("small", { textContent: excerpt }),
  );
  return link;
}

function makeDialog(): { dialog: HTMLDialogElement; field: HTMLInputElement } {
  const dialog = element("dialog", { className: "search" });
  dialog.setAttribute("aria-label", "Search");
  const field = element("input", { type: "search", placeholder: "Search guide and reference", autocomplete: "off" });
  const list = element("div", { id: "hits" });
  const status = element("p", { className: "status" });
  for (const [name, value] of Object.entries({
    role: "combobox",
    "aria-label": "Search guide and reference",
    "aria-controls": "hits",
    "aria-expanded": "false",
    "aria-autocomplete": "list",
  }))
    field.setAttribute(name, value);
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "Results");
  status.setAttribute("role", "status");
  const close = element("button", { type: "button", textContent: "Close" });
  close.addEventListener("click", () => dialog.close());
  const top = element("div");
  top.append(field, close);
  dialog.append(top, status, list);

  let marked = 0;
  const mark = (i: number): void => {
    const items = [...list.children];
    marked = Math.max(0, Math.min(items.length - 1, i));
    for (const [k, item] of items.entries()) item.setAttribute("aria-selected", String(k === marked));
    if (items.length > 0) field.setAttribute("aria-activedescendant", `hit-${marked}`);
    else field.removeAttribute("aria-activedescendant");
    items[marked]?.scrollIntoView({ block: "nearest" });
  };
  const show = async (): Promise<void> => {
    const hits = search(await loadRows(), field.value);
    list.replaceChildren(...hits.map(option));
    field.setAttribute("aria-expanded", String(hits.length > 0));
    status.textContent = field.value.trim() && hits.length === 0 ? "No section has all of these words." : "";
    mark(0);
  };
  field.addEventListener("input", () => void show());
  field.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      mark(marked + (event.key === "ArrowDown" ? 1 : -1));
    } else if (event.key === "Escape") {
      // a field of this type would only be emptied
      event.preventDefault();
      dialog.close();
    } else if (event.key === "Enter") {
      (list.children[marked] as HTMLAnchorElement | undefined)?.click();
    }
  });
  // a hit on this page closes the dialog and goes there
  list.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  return { dialog, field };
}

let made: ReturnType<typeof makeDialog> | undefined;

export async function openSearch(): Promise<void> {
  made ??= makeDialog();
  if (!made.dialog.open) made.dialog.showModal();
  made.field.select();
  await loadRows();
}
