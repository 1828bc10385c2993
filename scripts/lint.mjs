/** `npm run lint [-- --fix]`: style and mistakes (Biome), then who imports whom, then words, names and folders. All run, even after a failure. */
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startChild } from './lib/children.mjs';
import { within } from './lib/deadline.mjs';
import './ensure-lua.mjs';

const ROOT = resolve(fileURLToPath(import.meta.url), '../..');
const BIOME = join(ROOT, 'node_modules/@biomejs/biome/bin/biome');
const fix = process.argv.includes('--fix') ? ['--write'] : [];

const checks = [
  ['Biome', BIOME, 'check', '--error-on-warnings', '--max-diagnostics=100', ...fix],
  ['The import check', join(ROOT, 'scripts/checks/check-imports.mjs')],
  ['The house check', join(ROOT, 'scripts/checks/check-house.mjs')],
];
for (const [name, script, ...args] of checks) {
  const child = startChild(process.execPath, [/** @type {string} */ (script), ...args], { name, cwd: ROOT });
  const { code } = await within(child.exited, 120_000, `${name} to end`).finally(() => child.stop());
  if (code !== 0) process.exitCode = 1;
}
