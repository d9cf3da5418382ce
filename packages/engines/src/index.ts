export {
  type Availability,
  availableEngines,
  type EngineName,
  type EngineOptions,
  engineNames,
  type HostEngineName,
  openEngine,
  spreadNames,
  WORTH_A_DEVICE,
  withEngine,
} from "./open.js";
