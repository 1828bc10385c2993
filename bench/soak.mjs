/**
 * `npm run soak`: a million jobs of every kind through real workers, and then a look at what is left of them in memory.
 * `--help` says what can be asked. Node built-ins only, up to where the project's packages are there.
 */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installDeps } from '../scripts/lib/deps.mjs';
import { followNpm } from '../scripts/lib/follow-npm.mjs';

const BENCH = dirname(fileURLToPath(import.meta.url));
const ROOT = dirname(BENCH);

/** What a soak leaves behind when it is ended from outside, the reaper of its children picks up. */
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
  process.on(signal, () => process.exit(130));
followNpm('soak', () => process.exit(130));

try {
  process.chdir(ROOT);
  await installDeps(ROOT);
  const { register } = await import('tsx/esm/api');
  register();
  /** @type {{main(argv: string[]): Promise<number>}} */
  const { main } = await import(join(BENCH, 'soak/main.ts'));
  process.exit(await main(process.argv.slice(2)));
} catch (error) {
  console.error(error instanceof Error ? (process.env.DEBUG ? error.stack : error.message) : error);
  process.exit(1);
}
