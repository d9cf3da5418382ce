import { expect, test } from "vitest";
import { bytesOf } from "../../src/wasm/base64.js";

/** All bytes, and lengths with one, two and no characters of padding */
const all = Array.from({ length: 256 }, (_, k) => k);

test.each([[all], [all.slice(1)], [all.slice(2)], [[]]])("every host reads the same bytes (%#)", (bytes) => {
  const text = Buffer.from(bytes).toString("base64");
  const fromBase64 = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(text, "base64"));
  for (const host of [{ Uint8Array: { fromBase64 } }, { Uint8Array: {}, Buffer }, { Uint8Array: {} }]) {
    expect([...bytesOf(text, host)]).toEqual(bytes);
  }
  expect([...bytesOf(text)]).toEqual(bytes);
});
