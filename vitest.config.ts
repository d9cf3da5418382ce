import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 60_000,
    // two cores: more workers only slow each other down
    maxWorkers: 2,
  },
});
