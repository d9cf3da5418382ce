/** The engines on which formulas are tried: those in host memory, one that hides its numbers, one whose rows lie apart. */
import { blasEngine } from "@expen/engines/blas";
import { wasmEngine } from "@expen/engines/wasm";
import type { Engine } from "@expen/linalg";
import { jsEngine } from "@expen/linalg/engine";
import { blasHere } from "@expen/testing/contracts/blas-here";
import { opaque } from "@expen/testing/engines/opaque";
import { split } from "@expen/testing/engines/split";

const { absent } = await blasHere({});

export const engines: readonly [string, () => Engine | Promise<Engine>][] = [
  ["js", jsEngine],
  ["wasm", () => wasmEngine()],
  ...(absent ? [] : [["blas", () => blasEngine()] as [string, () => Promise<Engine>]]),
  ["opaque", () => opaque(jsEngine())],
  ["split", () => split(jsEngine())],
];
