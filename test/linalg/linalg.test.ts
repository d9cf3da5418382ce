import { jsEngine } from "../../src/engines/js.js";
import { linalgContract } from "../contracts/linalg.js";

linalgContract("js", async () => jsEngine());
