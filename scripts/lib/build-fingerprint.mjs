/** One hash over everything a build depends on, so that an unchanged project is not built twice. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What no build reads. Anything new is counted until it is listed here: a needless build beats a stale one. */
const SKIPPED = new Set([
  'node_modules',
  'dist',
  'coverage',
  'test-results',
  'playwright-report',
  'docs',
  'e2e',
  'bench',
  'testing',
]);
const SKIPPED_FILE = /(\.test\.tsx?|\.md|\.tsbuildinfo|^next-env\.d\.ts|^LICENSE)$/;

/** @param {string} root @param {string} [folder] @returns {string[]} */
function inputs(root, folder = '') {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory())
        return entry.name.startsWith('.') || SKIPPED.has(entry.name) ? [] : inputs(root, path);
      const own = entry.isFile() && !SKIPPED_FILE.test(entry.name);
      // Of hidden files only .env reaches a build.
      return own && (!entry.name.startsWith('.') || /^\.env(?!\.example)/.test(entry.name)) ? [path] : [];
    });
}

/** @param {string} root @returns {string} */
export function fingerprint(root) {
  const hash = createHash('sha256');
  for (const path of inputs(root)) {
    const content = readFileSync(join(root, path));
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  for (const [name, value] of Object.entries(process.env).sort())
    if (name.startsWith('NEXT_PUBLIC_')) hash.update(`${name}=${value}\0`);
  return hash.digest('hex');
}
