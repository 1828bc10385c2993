/**
 * Fails when a file imports what its folder may not, when imports form a cycle, or when an import leads to a higher
 * floor. The tables are in import-rules.mjs.
 *
 *   node scripts/checks/check-imports.mjs [folder]
 */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findCycles, importGraph } from './import-graph.mjs';
import {
  describe,
  FLOORS,
  floorIn,
  mayImportFile,
  mayImportPackage,
  ruleFor,
  TEST_FILE,
} from './import-rules.mjs';

/** @param {string} root @returns {{files: number, problems: string[]}} each problem is one line: file:line and a sentence */
export function checkImports(root) {
  const graph = importGraph(root);
  /** @type {string[]} */
  const problems = [];
  for (const [file, imports] of graph) {
    const rule = ruleFor(file);
    if (!rule) {
      problems.push(
        `${file}:1 is in no folder of the table in scripts/checks/import-rules.mjs. Move it, or add its folder.`,
      );
      continue;
    }
    for (const { specifier, line, target } of imports) {
      const allowed = target === undefined ? mayImportPackage(rule, specifier) : mayImportFile(rule, target);
      if (allowed) continue;
      const who = rule.zone || file;
      problems.push(
        `${file}:${line} imports "${specifier}", but ${who} may import only ${describe(rule)}.`.replace(
          'only nothing',
          'nothing',
        ),
      );
    }
  }
  problems.push(...floorProblems(graph));
  for (const cycle of findCycles(graph)) {
    const [file = '', next] = cycle;
    const line = graph.get(file)?.find(({ target }) => target === next)?.line ?? 1;
    problems.push(
      `${file}:${line} starts an import cycle: ${cycle.join(' → ')}. Move what they share into a file of its own.`,
    );
  }
  return { files: graph.size, problems };
}

/**
 * Imports in folders with floors that do not lead down. Tests open a broker as an application does.
 * @param {Map<string, import('./import-graph.mjs').Edge[]>} graph
 */
function floorProblems(graph) {
  return Object.keys(FLOORS).flatMap((folder) =>
    [...graph].flatMap(([file, imports]) => {
      const from = floorIn(folder, file);
      if (!from || TEST_FILE.test(file) || /\/fixtures?-/.test(file)) return [];
      if (from.floor < 0)
        return [
          `${file}:1 lies in the room ${from.room}, which has no floor in scripts/checks/import-rules.mjs.`,
        ];
      return imports.flatMap(({ specifier, line, target = '' }) => {
        const to = floorIn(folder, target);
        return !to || to.floor < from.floor || to.room === from.room
          ? []
          : [`${file}:${line} imports "${specifier}", which is not below it: see FLOORS.`];
      });
    }),
  );
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const root = resolve(process.argv[2] ?? resolve(fileURLToPath(import.meta.url), '../../..'));
  const { files, problems } = checkImports(root);
  for (const problem of problems) console.error(problem);
  console.log(
    problems.length
      ? `${problems.length} import problems in ${files} files.`
      : `Imports are in order in ${files} files.`,
  );
  process.exitCode = problems.length ? 1 : 0;
}
