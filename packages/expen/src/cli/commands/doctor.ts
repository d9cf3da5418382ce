import type { Command } from "commander";

export function doctorCommand(program: Command): void {
  program
    .command("doctor")
    .description("list the engines of this machine with their speed, and what to install for a faster one")
    .option("--json", "write one JSON document to stdout")
    .addHelpText("after", "\nExample:\n  expen doctor")
    .action(async (flags: { json?: boolean }) => {
      const { doctor } = await import("../doctor.js");
      process.exitCode = await doctor(flags);
    });
}
