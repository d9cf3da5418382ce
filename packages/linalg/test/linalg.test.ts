import { jsEngine } from "../src/engine/js.js";
import { wasmEngine } from "@expen/engines/wasm";
import { linalgContract } from "@expen/testing/contracts/linalg";

linalgContract("js", async () => jsEngine());
linalgContract("wasm", () => wasmEngine());
