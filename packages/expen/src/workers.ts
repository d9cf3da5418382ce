/** `expen/workers`: minimizeMany on all cores. */
export { minimizeOnWorkers, type ServeOptions, serveItems, type WorkersOptions } from "@expen/solvers/workers";
