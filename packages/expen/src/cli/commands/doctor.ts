import type { Command } from "commander";

export function doctorCommand(program: Command): void {
  program
    .command("doctor")
    .description("which engines are there, how fast they are, what to install for a faster one")
    .option("--json", "one JSON document on stdout")
    .addHelpText("after", "\nExample:\n  expen doctor")
    .action(async (flags: { json?: boolean }) => {
      const { doctor } = await import("../doctor.js");
      process.exitCode = await doctor(flags);
    });
}
