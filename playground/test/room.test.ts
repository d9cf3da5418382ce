import { jsEngine } from "@expen/linalg/engine";
import { MemoryError } from "@expen/linalg/memory";
import { expect, test } from "vitest";
import { requireRoom } from "../src/worker/course.js";

test("entrants run side by side and are added up", () => {
  const E = { ...jsEngine(), name: "wasm" };
  const entrants = (count: number) => Array.from({ length: count }, () => ({ solver: "auto", options: {} }));
  const size = { n: 2 ** 18, p: 64 };
  expect(() => requireRoom(E, { ...size, entrants: entrants(1) })).not.toThrow();
  expect(() => requireRoom(E, { ...size, entrants: entrants(3) })).toThrow(MemoryError);
  expect(() => requireRoom(E, { ...size, entrants: entrants(3) })).toThrow(/a WebAssembly memory has 4\.29 GB/);
});
