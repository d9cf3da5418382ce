import { wasmEngine } from "@expen/engines/wasm";
import { linalgContract } from "@expen/testing/contracts/linalg";
import { jsEngine } from "../src/engine/js.js";

linalgContract("js", async () => jsEngine());
linalgContract("wasm", () => wasmEngine());
