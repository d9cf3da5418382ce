import { defineConfig } from "vitest/config";
import { isWritable } from "./scripts/clone.mjs";
import { aliases } from "./scripts/sources.mjs";

const json = process.env.EXPEN_TEST_JSON;

// with DEBUG=* the runner's own libraries print among what the tests read
delete process.env.DEBUG;

export default defineConfig({
  // as in playground/vite.config.ts
  assetsInclude: ["**/*.npz"],
  resolve: { alias: aliases },
  test: {
    include: ["test/**/*.test.ts", "{packages/*,playground,site,bench}/test/**/*.test.ts"],
    // the page in a browser is tested where it is asked for: npm run test:browser
    exclude: [
      "**/node_modules/**",
      ...(process.env.EXPEN_REQUIRE?.includes("browser") ? [] : ["{playground,site}/test/browser/**"]),
    ],
    setupFiles: ["packages/testing/src/plain-environment.ts", "packages/testing/src/equal-arrays.ts"],
    // a test without an assertion cannot fail
    expect: { requireAssertions: true },
    testTimeout: 120_000,
    // two cores: more workers only slow each other down
    maxWorkers: 2,
    // files of one worker share what is loaded and compiled
    isolate: false,
    // what was compiled in the run before, where the file is the same
    experimental: { fsModuleCache: isWritable },
    // flags of V8 that Node 20 alone knows; a later one would refuse to start
    execArgv: process.versions.node.startsWith("20.")
      ? [
          // Code is optimised after fifteen times the work that V8 asks for by itself: tests run much code for a short time,
          // and to optimise all of it takes longer than to run it as it is.
          "--interrupt-budget=1000000",
          // the engine of relaxed SIMD, which later ones have without a flag
          "--experimental-wasm-relaxed-simd",
        ]
      : [],
    // how long each file took, for the order of the next run
    ...(!isWritable && { cache: false as const }),
    reporters: json ? ["default", "json"] : ["default"],
    ...(json && { outputFile: { json } }),
  },
});
