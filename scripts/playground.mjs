// Serves the playground that setup.mjs has built.
import { parseArgs } from "node:util";
import { servePlayground } from "expen/cli";

const { values } = parseArgs({ options: { port: { type: "string" } } });
try {
  const { url } = await servePlayground(values.port === undefined ? {} : { port: Number(values.port) });
  console.log(`The playground is at ${url} (Ctrl-C ends it).`);
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
