#!/usr/bin/env node
import "@expen/engines/relaxed-simd";
import module from "node:module";

/**
 * Node 22.1 and later keep the compiled code of a program between two calls of it: a fifth of the time of a short run. The cache belongs to
 * the process, so that a command turns it on and the library does not.
 */
const { enableCompileCache } = module as { enableCompileCache?(): void };
enableCompileCache?.();
// imported when the cache is on
const { expen } = await import("./program.js");

// a reader that closes the pipe (| head) is no error
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  const why = error.code === "ENOSPC" ? "the disk is full" : error.message;
  process.stderr.write(`expen: the answer cannot be written to stdout: ${why}.\n`, () => process.exit(2));
});

process.exitCode = await expen(process.argv.slice(2));
