/** The rules of the house over the whole project; `npm run lint` runs it. */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { tryRun } from '../lib/run-command.mjs';
import {
  browserProblems,
  folderProblems,
  nameProblems,
  subjectProblems,
  translationProblems,
  wordProblems,
} from './house-rules.mjs';

const ROOT = resolve(fileURLToPath(import.meta.url), '../../..');
/** Commits before this moment had other rules. */
const RULES_SINCE = '2026-11-22T17:00:00Z';
const READ =
  /^(?:app|components|lib|worker|cli|scripts|docs|examples|README\.md|CONTRIBUTING\.md|SECURITY\.md)/;
const PROSE = /^(?!.*\.(?:test|spec)\.).*\.(?:tsx?|mjs|lua|md)$/;
/** The bug catalogue quotes other projects; the rules name the words. */
const EXEMPT = /^(?:docs\/bug-catalogue\.md|scripts\/checks\/house-rules)/;

/** Pages that list tests quote their titles in italics, as they are. @param {string} file */
const withoutTitles = (file) => {
  const text = readFileSync(join(ROOT, file), 'utf8');
  return file.endsWith('.md') ? text.replace(/(?<!\*)\*[^*\n]+\*(?!\*)/g, '') : text;
};
const git = (/** @type {string[]} */ ...args) => tryRun('git', ['-C', ROOT, ...args]) ?? '';
const files = git('ls-files')
  .split('\n')
  .filter((file) => file !== '' && existsSync(join(ROOT, file)));
const subjects = git('log', '--no-merges', `--since=${RULES_SINCE}`, '--format=%s')
  .split('\n')
  .filter(Boolean);

const problems = [
  ...files
    .filter((file) => READ.test(file) && PROSE.test(file) && !EXEMPT.test(file))
    .flatMap((file) => wordProblems(file, withoutTitles(file))),
  ...files
    .filter((file) => /\.tsx?$/.test(file))
    .flatMap((file) => {
      const text = readFileSync(join(ROOT, file), 'utf8');
      return [...browserProblems(file, text), ...translationProblems(file, text)];
    }),
  ...nameProblems(files),
  ...folderProblems(files),
  ...subjectProblems(subjects),
];
for (const problem of problems) console.error(problem);
if (problems.length > 0) {
  console.error(`${problems.length} problems with words, names, folders or commit subjects.`);
  process.exitCode = 1;
}
