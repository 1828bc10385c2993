/**
 * Fails when a file imports what its folder may not, or when imports form a cycle. The table is in lib/import-rules.mjs.
 *
 *   node scripts/check-imports.mjs [folder]
 */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findCycles, importGraph } from './lib/import-graph.mjs';
import { describe, mayImportFile, mayImportPackage, ruleFor } from './lib/import-rules.mjs';

/** @param {string} root @returns {{files: number, problems: string[]}} each problem is one line: file:line and a sentence */
export function checkImports(root) {
  const graph = importGraph(root);
  /** @type {string[]} */
  const problems = [];
  for (const [file, imports] of graph) {
    const rule = ruleFor(file);
    if (!rule) {
      problems.push(
        `${file}:1 is in no folder of the table in scripts/lib/import-rules.mjs. Move it, or add its folder.`,
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
  for (const cycle of findCycles(graph)) {
    const [file = '', next] = cycle;
    const line = graph.get(file)?.find(({ target, typeOnly }) => target === next && !typeOnly)?.line ?? 1;
    problems.push(
      `${file}:${line} starts an import cycle: ${cycle.join(' → ')}. Move what they share into a file of its own.`,
    );
  }
  return { files: graph.size, problems };
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const root = resolve(process.argv[2] ?? resolve(fileURLToPath(import.meta.url), '../..'));
  const { files, problems } = checkImports(root);
  for (const problem of problems) console.error(problem);
  console.log(
    problems.length
      ? `${problems.length} import problems in ${files} files.`
      : `Imports are in order in ${files} files.`,
  );
  process.exitCode = problems.length ? 1 : 0;
}
