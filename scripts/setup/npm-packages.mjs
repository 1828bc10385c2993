/** Installs the exact packages of package-lock.json when they are not there already. Node built-ins only. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startChild } from '../lib/children.mjs';
import { within } from '../lib/deadline.mjs';

/** @param {string} path @returns {Record<string, any> | undefined} */
function packagesOf(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

/**
 * npm writes node_modules/.package-lock.json last, so it is the stamp of a finished install. Optional
 * packages for other platforms are in the lock but not in the stamp.
 * @param {string} root @param {{withTests?: boolean}} [options] `withTests`: whether what only tests need must be there, too
 */
export function depsAreCurrent(root, { withTests = true } = {}) {
  const wanted = packagesOf(join(root, 'package-lock.json'));
  const have = packagesOf(join(root, 'node_modules', '.package-lock.json'));
  if (!wanted || !have) return false;
  const differs = Object.entries(wanted).some(([path, entry]) => {
    if (path === '') return false;
    const mine = have[path];
    if (mine) return mine.version !== entry.version || mine.integrity !== entry.integrity;
    return !entry.optional && (withTests || !(entry.dev || entry.devOptional));
  });
  return !differs && Object.keys(have).every((path) => wanted[path]);
}

/**
 * @param {string} root
 * @param {{withTests?: boolean, timeoutMs?: number}} [options] `withTests`: with the packages that only tests need, a third of all bytes
 * @returns {Promise<boolean>} whether it had to install
 */
export async function installDeps(root, { withTests = true, timeoutMs = 600_000 } = {}) {
  if (depsAreCurrent(root, { withTests })) return false;
  const args = [
    'ci',
    withTests ? '--include=dev' : '--omit=dev',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  // Under `npm run` npm names itself; that one exists even where `npm` is not on PATH.
  const npm = process.env.npm_execpath;
  const child = npm?.endsWith('.js')
    ? startChild(process.execPath, [npm, ...args], { name: 'npm ci', cwd: root, stdio: ['ignore', 2, 2] })
    : startChild('npm', args, { name: 'npm ci', cwd: root, stdio: ['ignore', 2, 2] });
  try {
    const { code, error } = await within(child.exited, timeoutMs, 'npm ci');
    if (error) throw new Error(`npm could not be started (${error.message}). Is it on PATH?`);
    if (code !== 0)
      throw new Error('npm ci failed; what it said is above. Is the npm registry within reach?');
  } finally {
    await child.stop();
  }
  return true;
}
