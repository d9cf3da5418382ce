/**
 * `expen/cli`: parts of the command line for other programs of this repository; not for users. bench/ takes locks, whole files and the MPI
 * launchers; scripts/ and the playground take the server and its POLICY; tests run command lines with `expen(words)`.
 */
export { lock } from "./lock.js";
export { type Launcher, launch, launchers } from "./mpi-launch.js";
export type { MpiSpeed } from "./mpi-speed.js";
export { ownModules } from "./own-modules.js";
export { POLICY } from "./playground-policy.js";
export { type PlaygroundServer, servePlayground } from "./playground-server.js";
export { expen } from "./program.js";
export type { Report } from "./reproduce/report-data.js";
export { clearPartials, writeWhole } from "./whole-file.js";
