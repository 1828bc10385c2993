#!/usr/bin/env node
/** Entry of the command `redrive`. */
import { runRedrive } from './run-redrive';
import { processTerminal } from './terminal/terminal';

// A reader such as `head` that has enough is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
process.exitCode = await runRedrive(process.argv.slice(2), processTerminal());
