/**
 * The build writes code that several routes need once for each route, under another name: 78 of 104 MB, which the console would load
 * again for each route. Here, equal files become one.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDERS = ['chunks', 'chunks/ssr'];
/** Only this line differs: it has the file's own name. */
const MAP_LINE = /\n\/\/# sourceMappingURL=.*\s*$/;
const CHUNK_PATH = /chunks\/(?:ssr\/)?[^"'/\\\s]+\.js/g;

/** @param {string} text */
const digest = (text) => createHash('sha256').update(text.replace(MAP_LINE, '')).digest('hex');

/** Each file that equals another one, with that other one. @param {string} server @returns {Map<string, string>} paths below `server` */
function twins(server) {
  /** @type {Map<string, string>} */
  const twinOf = new Map();
  for (const folder of FOLDERS) {
    /** @type {Map<string, string>} */
    const firsts = new Map();
    for (const entry of readdirSync(join(server, folder), { withFileTypes: true })) {
      if (!entry.isFile() || !entry.name.endsWith('.js')) continue;
      const path = `${folder}/${entry.name}`;
      const hash = digest(readFileSync(join(server, path), 'utf8'));
      const first = firsts.get(hash);
      if (first === undefined) firsts.set(hash, path);
      else twinOf.set(path, first);
    }
  }
  return twinOf;
}

/** @param {string} dir the build's folder (.next) @returns {number} the removed files */
export function shareChunks(dir) {
  const server = join(dir, 'server');
  const twinOf = twins(server);
  for (const path of twinOf.keys())
    for (const file of [path, `${path}.map`]) rmSync(join(server, file), { force: true });
  for (const entry of readdirSync(server, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.(?:js|json)$/.test(entry.name)) continue;
    const file = join(entry.parentPath, entry.name);
    const text = readFileSync(file, 'utf8');
    const shared = text.replace(CHUNK_PATH, (path) => twinOf.get(path) ?? path);
    if (shared !== text) writeFileSync(file, shared);
  }
  return twinOf.size;
}
