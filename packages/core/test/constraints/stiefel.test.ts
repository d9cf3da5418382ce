import { describe } from "vitest";
import { stiefelConstraint } from "../../src/manifolds/stiefel.js";
import { blasEngine } from "@expen/engines/blas";
import { jsEngine } from "@expen/linalg/engine";
import { wasmEngine } from "@expen/engines/wasm";
import { blasHere } from "@expen/testing/contracts/blas-here";
import { constraintContract } from "@expen/testing/contracts/constraint";
import { opaque } from "@expen/testing/engines/opaque";
import { split } from "@expen/testing/engines/split";

const { absent, title } = await blasHere({});

constraintContract("stiefel on js", jsEngine, stiefelConstraint);
constraintContract("stiefel on wasm", () => wasmEngine(), stiefelConstraint);
constraintContract("stiefel where numbers are hidden", () => opaque(jsEngine()), stiefelConstraint);
constraintContract("stiefel where rows lie apart", () => split(jsEngine()), stiefelConstraint);
describe.skipIf(absent)(title, () => constraintContract("stiefel on blas", () => blasEngine(), stiefelConstraint));
