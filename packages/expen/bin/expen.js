#!/usr/bin/env node
// A file of the clone: npm makes the command only of a file that is there before the build.
import "../dist/main.js";
