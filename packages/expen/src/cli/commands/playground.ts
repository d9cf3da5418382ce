import type { Command } from "commander";
import { integer } from "../option-values.js";

export function playgroundCommand(program: Command): void {
  program
    .command("playground")
    .description("serve the playground, a web page that shows solvers at work, on this machine")
    .option("--port <number>", "port to listen on; 0 takes any free one (default: 4173)", integer("port", 0, 65535))
    .addHelpText("after", "\nExample:\n  expen playground --port 8080")
    .action(async (flags: { port?: number }) => {
      const { servePlayground } = await import("../playground-server.js");
      const { url } = await servePlayground(flags);
      process.stdout.write(`the playground is at ${url}; Ctrl-C ends it\n`);
    });
}
