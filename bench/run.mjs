/**
 * `npm run bench`, `bench:grader`, `bench:dead`, `bench:auth` and `bench:queues`: installs what is missing (the project's packages, and the
 * peers, which only live in this folder), then runs the harness. Node built-ins only up to there. `--help` says what can be asked.
 */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installDeps } from '../scripts/lib/deps.mjs';
import { followNpm } from '../scripts/lib/follow-npm.mjs';

const BENCH = dirname(fileURLToPath(import.meta.url));
const ROOT = dirname(BENCH);
const [which = 'broker', ...argv] = process.argv.slice(2);

/** What a bench leaves behind when it is ended from outside, the reaper of its children picks up. */
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
  process.on(signal, () => process.exit(130));
followNpm(which === 'broker' ? 'bench' : `bench:${which}`, () => process.exit(130));

try {
  process.chdir(ROOT);
  await installDeps(ROOT);
  await installDeps(BENCH);
  const { register } = await import('tsx/esm/api');
  register();
  const file = which === 'broker' ? 'broker.ts' : `${which}/main.ts`;
  /** @type {{main(argv: string[]): Promise<number>}} */
  const { main } = await import(join(BENCH, file));
  process.exit(await main(argv));
} catch (error) {
  console.error(error instanceof Error ? (process.env.DEBUG ? error.stack : error.message) : error);
  process.exit(1);
}
