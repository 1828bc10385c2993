/** `npm run doctor`: the same as `redrive doctor`. */
import { parseArgs } from 'node:util';
import { runDoctor } from './run-doctor';

const HELP = `Usage: npm run doctor -- [options]

Says what is wrong with the configuration (environment, REDRIVE_CONFIG_FILE or .env) and with its Redis, and how to fix it.
Nothing is started or changed. Ends with 0 when nothing is wrong, else with 1.

  --all      lists checks that are fine, too
  --redis    checks the Redis only, for a machine without a console
  --strict   warnings and unknown checks count as wrong
  --json     writes one JSON object`;

try {
  const { values } = parseArgs({
    options: {
      all: { type: 'boolean' },
      redis: { type: 'boolean' },
      strict: { type: 'boolean' },
      json: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) console.log(HELP);
  else
    process.exitCode = await runDoctor({
      ...values,
      redisOnly: values.redis,
      say: (line) => console.log(line),
    });
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
