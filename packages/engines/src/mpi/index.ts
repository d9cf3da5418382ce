export { dataEngine } from "./data.js";
export { mpiEngine } from "./engine.js";
export { hearing } from "./heard.js";
export { mpiWire } from "./library.js";
export { closeMpi, failTogether, mpiRuns, openData, openRows } from "./open.js";
export { PATIENCE, startedAs } from "./started.js";
export { summing, type Wire } from "./wire.js";
