import { describe } from "vitest";
import { stiefelConstraint } from "../../src/constraints/stiefel.js";
import { blasEngine } from "../../src/engines/blas.js";
import { jsEngine } from "../../src/engines/js.js";
import { wasmEngine } from "../../src/engines/wasm.js";
import { blasHere } from "../contracts/blas-here.js";
import { constraintContract } from "../contracts/constraint.js";
import { opaque } from "../engines/opaque.js";
import { split } from "../engines/split.js";

const { absent, title } = await blasHere({});

constraintContract("stiefel on js", jsEngine, stiefelConstraint);
constraintContract("stiefel on wasm", () => wasmEngine(), stiefelConstraint);
constraintContract("stiefel where numbers are hidden", () => opaque(jsEngine()), stiefelConstraint);
constraintContract("stiefel where rows lie apart", () => split(jsEngine()), stiefelConstraint);
describe.skipIf(absent)(title, () => constraintContract("stiefel on blas", () => blasEngine(), stiefelConstraint));
