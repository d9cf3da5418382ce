import { jsEngine } from "../../src/engines/js.js";
import { wasmEngine } from "../../src/engines/wasm.js";
import { linalgContract } from "../contracts/linalg.js";

linalgContract("js", async () => jsEngine());
linalgContract("wasm", () => wasmEngine());
