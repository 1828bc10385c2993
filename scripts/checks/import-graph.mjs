/** The project's files, what each imports, and the cycles among them. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import ts from 'typescript';

const SOURCE = /\.(?:[cm]?[jt]s|[jt]sx)$/;
const SKIPPED = new Set(['node_modules', 'dist', 'coverage', 'test-results', 'playwright-report', 'public']);
const EXTENSIONS = [
  '',
  '.ts',
  '.tsx',
  '.mts',
  '.js',
  '.mjs',
  '.jsx',
  '.d.ts',
  '/index.ts',
  '/index.tsx',
  '/index.js',
  '/index.mjs',
];

/** @param {string} root @param {string} [folder] @returns {string[]} paths from the root, with forward slashes */
export function sourceFiles(root, folder = '') {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (entry.name.startsWith('.') || SKIPPED.has(entry.name)) return [];
    const path = posix.join(folder, entry.name);
    if (entry.isDirectory()) return sourceFiles(root, path);
    return entry.isFile() && SOURCE.test(entry.name) && !entry.name.endsWith('.d.ts') ? [path] : [];
  });
}

/**
 * The file a specifier means, from the root; undefined for a package. A file that is not there keeps its name: which
 * folder it would be in is enough to judge, and the compiler reports what is missing.
 * @param {string} root @param {string} file @param {string} specifier @returns {string | undefined}
 */
export function resolveImport(root, file, specifier) {
  const path = specifier.startsWith('@/')
    ? posix.normalize(specifier.slice(2))
    : /^\.\.?(\/|$)/.test(specifier)
      ? posix.join(posix.dirname(file), specifier)
      : undefined;
  if (path === undefined) return undefined;
  const candidates = [
    ...EXTENSIONS.map((end) => path + end),
    path.replace(/\.([cm]?)js$/, '.$1ts'),
    path.replace(/\.jsx?$/, '.tsx'),
  ];
  return (
    candidates.find((name) => existsSync(join(root, name)) && statSync(join(root, name)).isFile()) ?? path
  );
}

/** @typedef {{specifier: string, line: number}} Import */
/** @typedef {Import & {target?: string}} Edge */

/** Every import, export from, import() and require(), types included. @param {string} source @returns {Import[]} in the order of the file */
export const scanImports = (source) =>
  ts.preProcessFile(source, true, true).importedFiles.map(({ fileName, pos }) => ({
    specifier: fileName,
    line: source.slice(0, pos).split('\n').length,
  }));

/** @param {string} root @returns {Map<string, Edge[]>} */
export function importGraph(root) {
  return new Map(
    sourceFiles(root).map((file) => [
      file,
      scanImports(readFileSync(join(root, file), 'utf8')).map((found) => ({
        ...found,
        target: resolveImport(root, file, found.specifier),
      })),
    ]),
  );
}

/**
 * Import cycles, each once. Imports of types count.
 * @param {Map<string, Edge[]>} graph @returns {string[][]} each starts and ends with the same file
 */
export function findCycles(graph) {
  /** @type {string[][]} */
  const cycles = [];
  const done = new Set();
  /** @type {string[]} */
  const path = [];
  const visit = (/** @type {string} */ file) => {
    const start = path.indexOf(file);
    if (start >= 0) {
      cycles.push([...path.slice(start), file]);
      return;
    }
    if (done.has(file)) return;
    path.push(file);
    for (const { target } of graph.get(file) ?? []) if (target && graph.has(target)) visit(target);
    path.pop();
    done.add(file);
  };
  for (const file of graph.keys()) visit(file);
  return cycles;
}
