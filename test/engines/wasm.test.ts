import { wasmEngine } from "../../src/engines/wasm.js";
import { engineContract } from "../contracts/engine.js";

engineContract("wasm, plain SIMD", () => wasmEngine({ relaxed: false }));
engineContract("wasm, relaxed SIMD", () => wasmEngine({ relaxed: true }));
