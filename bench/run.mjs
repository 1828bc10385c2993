/**
 * `npm run bench`, the `bench:…` scripts of package.json and `soak`: installs missing packages, then runs the bench.
 * Only Node's own modules are imported at the top. `--help` lists the options.
 */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { followNpm } from '../scripts/lib/follow-npm.mjs';
import { installDeps } from '../scripts/setup/npm-packages.mjs';
import '../scripts/ensure-lua.mjs';

const BENCH = dirname(fileURLToPath(import.meta.url));
const ROOT = dirname(BENCH);
const FILES = /** @type {Record<string, string>} */ ({
  bench: 'broker-bench.ts',
  'bench:grader': 'grader/grader-bench.ts',
  'bench:dead': 'dead/dead-bench.ts',
  'bench:auth': 'auth/auth-bench.ts',
  'bench:queues': 'queues/queues-bench.ts',
  'bench:find': 'find/find-bench.ts',
  'bench:shares': 'shares/shares-bench.ts',
  'bench:streams': 'streams/streams-bench.ts',
  'bench:ablation': 'ablation/ablation-bench.ts',
  'bench:pages': 'pages/pages-bench.ts',
  'bench:rest': 'rest/rest-bench.ts',
  'bench:scale': 'scale/scale-bench.ts',
  soak: 'soak/soak-bench.ts',
});
const [script = 'bench', ...argv] = process.argv.slice(2);

// The reaper of scripts/lib/children.mjs ends the children that are left.
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
  process.on(signal, () => process.exit(130));
followNpm(script, () => process.exit(130));

try {
  process.chdir(ROOT);
  await installDeps(ROOT);
  // The peers. The soak has none.
  if (script !== 'soak') await installDeps(BENCH);
  const { register } = await import('tsx/esm/api');
  register();
  const { runBench } = await import(join(BENCH, 'harness/bench-command.ts'));
  const { bench } = await import(join(BENCH, FILES[script] ?? ''));
  process.exit(await runBench(bench, argv));
} catch (error) {
  console.error(error instanceof Error ? (process.env.DEBUG ? error.stack : error.message) : error);
  process.exit(1);
}
