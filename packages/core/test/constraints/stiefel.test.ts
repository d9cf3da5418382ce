import { blasEngine } from "@expen/engines/blas";
import { wasmEngine } from "@expen/engines/wasm";
import { jsEngine } from "@expen/linalg/engine";
import { blasHere } from "@expen/testing/contracts/blas-here";
import { constraintContract } from "@expen/testing/contracts/constraint";
import { opaque } from "@expen/testing/engines/opaque";
import { split } from "@expen/testing/engines/split";
import { describe } from "vitest";
import { stiefelConstraint } from "../../src/manifolds/stiefel.js";

const { absent, title } = await blasHere({});

constraintContract("stiefel on js", jsEngine, stiefelConstraint);
constraintContract("stiefel on wasm", () => wasmEngine(), stiefelConstraint);
constraintContract("stiefel where numbers are hidden", () => opaque(jsEngine()), stiefelConstraint);
constraintContract("stiefel where rows lie apart", () => split(jsEngine()), stiefelConstraint);
describe.skipIf(absent)(title, () => constraintContract("stiefel on blas", () => blasEngine(), stiefelConstraint));
