/** `npm run bench:report [-- --suite name] [results.json]`: the page of a suite, from the newest whole run on this machine. */
import { suiteNamed, suites } from "./suites.js";

const args = process.argv.slice(2);
process.exitCode = await suiteNamed(args, suites, (suite) => suite.report(args));
