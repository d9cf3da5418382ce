import { defineConfig } from "vitest/config";

const json = process.env.EXPEN_TEST_JSON;

export default defineConfig({
  resolve: { alias: { expen: new URL("src/index.ts", import.meta.url).pathname } },
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 120_000,
    // two cores: more workers only slow each other down
    maxWorkers: 2,
    reporters: json ? ["default", "json"] : ["default"],
    ...(json && { outputFile: { json } }),
  },
});
