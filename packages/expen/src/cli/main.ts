#!/usr/bin/env node
import "@expen/engines/relaxed-simd";
import { expen } from "./program.js";

// a reader that closes the pipe (| head) is no error
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  const why = error.code === "ENOSPC" ? "the disk is full" : error.message;
  process.stderr.write(`expen: the answer cannot be written to stdout: ${why}.\n`, () => process.exit(2));
});

process.exitCode = await expen(process.argv.slice(2));
