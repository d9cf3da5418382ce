// Compiles packages/engines/assembly/ to the modules packages/engines/src/wasm/*.generated.ts: plain and relaxed SIMD, each for its own and for shared memory.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import asc from "assemblyscript/asc";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const target = join(root, "packages/engines/src/wasm");
const common = [
  "--optimizeLevel",
  "3",
  "--shrinkLevel",
  "0",
  "--noAssert",
  "--runtime",
  "stub",
  "--enable",
  "simd",
  "--runPasses",
  "local-cse",
];
// constants lie from byte 64 on, below what the heap hands out (packages/engines/src/wasm/heap.ts)
const memory = ["--importMemory", "--noExportMemory", "--memoryBase", "64"];
const shared = ["--enable", "threads", "--sharedMemory", "--maximumMemory", "65536", "--initialMemory", "1"];
const relaxed = ["--enable", "relaxed-simd"];
const variants = {
  simd: [],
  relaxed,
  "simd-shared": shared,
  "relaxed-shared": [...relaxed, ...shared],
};

async function compile(flags) {
  let binary;
  const { error, stderr } = await asc.main(
    ["packages/engines/assembly/index.ts", ...common, ...memory, ...flags, "--outFile", "kernels.wasm"],
    {
      readFile: (name, base) => {
        try {
          return readFileSync(join(root, base, name), "utf8");
        } catch {
          return null;
        }
      },
      writeFile: (_name, contents) => {
        binary = contents;
      },
      listFiles: () => [],
    },
  );
  if (error || !binary) {
    console.error(
      `${stderr}build-wasm: assembly/ does not compile with ${flags.join(" ") || "no flags"}: ${error?.message}`,
    );
    process.exit(1);
  }
  return Buffer.from(binary);
}

mkdirSync(target, { recursive: true });
for (const [name, flags] of Object.entries(variants)) {
  const binary = await compile(flags);
  const text = `/** Made by scripts/build-wasm.mjs from assembly/. */\nconst base64: string =\n  "${binary.toString("base64")}";\nexport default base64;\n`;
  writeFileSync(join(target, `${name}.generated.ts`), text);
}
