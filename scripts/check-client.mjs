/**
 * Fails when a browser chunk of the last build holds server code: a leak costs every visitor its download, breaks in the
 * browser, and may carry secrets.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serverCodeIn } from './lib/client-markers.mjs';

/** @param {string} folder @returns {string[]} */
function scripts(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return scripts(path);
    return /\.[cm]?js$/.test(entry.name) ? [path] : [];
  });
}

/** @param {string} root @returns {{chunks: number, problems: string[]}} */
export function checkClient(root) {
  const folder = join(root, '.next/static');
  const files = existsSync(folder) ? scripts(folder) : [];
  if (!files.length) return { chunks: 0, problems: ['There is no build to check. Run: npm run build'] };
  const problems = files.flatMap((file) =>
    serverCodeIn(readFileSync(file, 'utf8')).map(
      (name) =>
        `${relative(root, file)} is sent to browsers and contains ${name}. Find the component that imports it.`,
    ),
  );
  return { chunks: files.length, problems };
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const { chunks, problems } = checkClient(resolve(fileURLToPath(import.meta.url), '../..'));
  for (const problem of problems) console.error(problem);
  if (!problems.length) console.log(`No server code in ${chunks} browser chunks.`);
  process.exitCode = problems.length ? 1 : 0;
}
