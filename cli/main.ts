#!/usr/bin/env node
import "./relaxed-simd.js";
import { expen } from "./program.js";

// a reader that goes away (| head) is no error
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});

process.exitCode = await expen(process.argv.slice(2));
