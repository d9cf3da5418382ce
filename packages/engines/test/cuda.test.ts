/** The contracts of engines on `cuda`: always on the emulated device, and on this machine's where there is one. */

import { engineContract } from "@expen/testing/contracts/engine";
import { linalgContract } from "@expen/testing/contracts/linalg";
import { emulatedCuda } from "@expen/testing/engines/cuda/emulated";
import { describe } from "vitest";
import { cudaEngine, cudaEngineOn } from "../src/cuda/engine.js";

engineContract("cuda, emulated", async () => cudaEngineOn(emulatedCuda()));
linalgContract("cuda, emulated", async () => cudaEngineOn(emulatedCuda(), { onHost: 0 }));

const absent = await cudaEngine().then(
  (E) => E.dispose(),
  (error: Error) => error.message,
);
const title = "a device of this machine";
describe.skipIf(absent !== undefined)(absent === undefined ? title : `${title} (skipped: ${absent})`, () => {
  engineContract("cuda", () => cudaEngine());
  linalgContract("cuda", () => cudaEngine());
  linalgContract("cuda, all by cuSOLVER", () => cudaEngine({ onHost: 0 }));
});
