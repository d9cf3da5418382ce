/** Many problems on all cores: f lives in the module of a worker, which `serveItems` makes; `minimizeOnWorkers` sends it the problems. */
export { minimizeOnWorkers, type WorkersOptions } from "./on-workers.js";
export { type ServeOptions, serveItems } from "./serve.js";
