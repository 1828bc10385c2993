/**
 * One build serves the console at the root of a host and below any path. Next fixes its base path at build time, so the build has a
 * placeholder for it. In scripts, an expression takes the placeholder's place, which finds the path when the script runs: in the browser
 * in the address of the page's first script, in the server in a global variable. In other files, the placeholder is removed, and
 * `addBasePath` fills in the path where Next's server reads them.
 */
import fs from 'node:fs';
import { join, sep } from 'node:path';

/** Chosen so that it is found nowhere else. */
export const BASE_PATH_PLACEHOLDER = '/redrive-base-path-placeholder';

const IN_BROWSER =
  '(globalThis.redriveBasePath??=document.querySelector("script[src*=\'/_next/\']").getAttribute("src").split("/_next/")[0])';
const IN_SERVER = '(globalThis.redriveBasePath??"")';

/** @param {string} path of a file in the build, with slashes */
const isScript = (path) => /^(static|server\/chunks)\/.*\.js$/.test(path);

/** @param {string} dir the build's folder (.next) @returns {string[]} the changed files, for a test */
export function freeBasePath(dir) {
  const changed = [];
  for (const path of filesOf(dir)) {
    const file = join(dir, path);
    const text = fs.readFileSync(file, 'utf8');
    if (!text.includes(BASE_PATH_PLACEHOLDER)) continue;
    fs.writeFileSync(file, freed(path.split(sep).join('/'), text));
    changed.push(path);
  }
  return changed;
}

/** @param {string} path @param {string} text @returns {string} */
function freed(path, text) {
  if (!isScript(path)) return text.replaceAll(BASE_PATH_PLACEHOLDER, '');
  const expression = path.startsWith('static/') ? IN_BROWSER : IN_SERVER;
  const result = text.replaceAll(`"${BASE_PATH_PLACEHOLDER}`, `${expression}+"`);
  if (result.includes(BASE_PATH_PLACEHOLDER))
    throw new Error(
      `${path} has the placeholder of the base path inside a text, where no expression can stand. Next may write it in another way now: see scripts/lib/base-path.mjs.`,
    );
  return result;
}

/** Without the cache of the bundler and source maps. @param {string} dir @param {string} [below] @returns {string[]} */
function filesOf(dir, below = '') {
  return fs.readdirSync(join(dir, below), { withFileTypes: true }).flatMap((entry) => {
    const path = join(below, entry.name);
    if (entry.isDirectory()) return path === 'cache' ? [] : filesOf(dir, path);
    return entry.isFile() && !path.endsWith('.map') ? [path] : [];
  });
}

/** Files in which Next finds the addresses of built scripts while it runs. */
const NAMES_SCRIPTS = /(_client-reference-manifest\.js|\.html|\.rsc)$/;

/**
 * Lets Next's server answer below a path. Call it before Next is loaded. It does nothing at the root of a host.
 * @param {string} dir the build's folder
 * @param {string} basePath `/ops/redrive`, or ''
 * @param {Record<string, unknown>} config Next's, as it was built
 * @returns {Record<string, unknown>}
 */
export function addBasePath(dir, basePath, config) {
  if (basePath === '') return config;
  /** @type {any} */ (globalThis).redriveBasePath = basePath;
  const inBuild = join(dir, 'server') + sep;
  /** @param {unknown} path @param {any} content */
  const filled = (path, content) =>
    typeof content === 'string' && String(path).startsWith(inBuild) && NAMES_SCRIPTS.test(String(path))
      ? content.replaceAll('"/_next/', `"${basePath}/_next/`)
      : content;
  const { readFileSync } = fs;
  const { readFile } = fs.promises;
  fs.readFileSync = /** @type {any} */ (
    (/** @type {any[]} */ ...args) => filled(args[0], /** @type {Function} */ (readFileSync).apply(fs, args))
  );
  fs.promises.readFile = /** @type {any} */ (
    async (/** @type {any[]} */ ...args) =>
      filled(args[0], await /** @type {Function} */ (readFile).apply(fs.promises, args))
  );
  // The front server takes the path off each request, so Next itself answers at the root and needs it for built files only.
  return { ...config, assetPrefix: basePath };
}
