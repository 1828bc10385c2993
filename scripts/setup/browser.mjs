/**
 * A Chromium for the end-to-end tests, on any machine. Node built-ins only, and Playwright where it is installed.
 */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { allOnPath, isExecutable, run, tryRun, which } from '../lib/run-command.mjs';
import { packedChromium } from './packed-chromium.mjs';

const ROOT = resolve(fileURLToPath(import.meta.url), '../../..');
/** The shell, which has no windows to draw, opens pages sooner: every test opens some. */
const NAMES = [
  'chromium-headless-shell',
  'chrome-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'chrome',
  'microsoft-edge',
];
const MAC = ['Google Chrome', 'Chromium', 'Microsoft Edge'].map(
  (app) => `/Applications/${app}.app/Contents/MacOS/${app}`,
);

/** A launcher on PATH may point at nothing (a snap stub, say), so a browser counts only once it answers. @param {string} bin */
const runs = (bin) => isExecutable(bin) && /\d+\.\d/.test(tryRun(bin, ['--version']) ?? '');

/** @returns {string | undefined} */
function playwrightsOwn() {
  try {
    const path = createRequire(import.meta.url)('playwright').chromium.executablePath();
    return existsSync(path) ? path : undefined;
  } catch {
    return undefined;
  }
}

/** Debian's package, which brings the libraries and fonts with it. @returns {string} */
function installed() {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  run('apt-get', ['-qq', 'update'], { timeoutMs: 180_000, env });
  for (const name of ['chromium-headless-shell', 'chromium']) {
    // Older releases have no shell.
    if (!tryRun('apt-cache', ['show', name])) continue;
    run('apt-get', ['-qq', '-y', '--no-install-recommends', 'install', name], { timeoutMs: 600_000, env });
    const bin = which(name) ?? `/usr/bin/${name}`;
    if (runs(bin)) return bin;
  }
  throw new Error('apt-get installed no Chromium that runs');
}

/**
 * REDRIVE_CHROMIUM → Playwright's own → PATH → apt-get as root → the npm package unpacked into .local/chromium.
 * @param {{localDir?: string}} [options]
 * @returns {{path: string, how: string}}
 */
export function findBrowser({ localDir = join(ROOT, '.local/chromium') } = {}) {
  const named = process.env.REDRIVE_CHROMIUM;
  if (named) {
    if (!runs(named)) throw new Error(`REDRIVE_CHROMIUM=${named} does not run.`);
    return { path: named, how: `REDRIVE_CHROMIUM (${named})` };
  }
  const own = playwrightsOwn();
  if (own) return { path: own, how: `Playwright's own (${own})` };
  const found = [...NAMES.flatMap(allOnPath), ...MAC].find(runs);
  if (found) return { path: found, how: `installed (${found})` };

  /** @type {string[]} */
  const tried = [];
  if (process.getuid?.() === 0 && which('apt-get')) {
    try {
      return { path: installed(), how: 'installed now with apt-get' };
    } catch (error) {
      tried.push(/** @type {Error} */ (error).message);
    }
  }
  try {
    return { path: packedChromium(localDir), how: `from the npm registry (${localDir})` };
  } catch (error) {
    tried.push(/** @type {Error} */ (error).message);
  }
  throw new Error(
    [
      'No Chromium found, and none could be fetched. Do one of these:',
      '  - install Chromium or Chrome, or name it: REDRIVE_CHROMIUM=/path/to/chrome',
      '  - npx playwright install chromium',
      '  - on Debian, as root: apt-get install chromium',
      '  - let npm reach its registry: a packed Chromium is unpacked into .local/chromium (Linux on x64)',
      ...tried.map((reason) => `Tried: ${reason}.`),
    ].join('\n'),
  );
}

/**
 * What Chromium must be told: stay silent on the network, and give up its own sandbox where it cannot have one (as root,
 * or unpacked without the helper it needs).
 * @param {string} path
 */
export function browserArgs(path) {
  const quiet = [
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--no-first-run',
  ];
  const unconfined = process.getuid?.() === 0 || path.includes('/.local/chromium/');
  return unconfined ? [...quiet, '--no-sandbox', '--disable-dev-shm-usage'] : quiet;
}
