export { type Availability, availableEngines, type EngineName, engineNames, type EngineOptions, type HostEngineName, openEngine, spreadNames, withEngine, WORTH_A_DEVICE } from "./open.js";
