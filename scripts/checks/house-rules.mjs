/**
 * The rules of the house that a program can hold: words that are out, file names that say nothing or differ by an s, two files of one
 * name, files a folder, and subjects of commits.
 */
import { basename, dirname } from 'node:path';

export const FILES_A_FOLDER = 25;
export const SUBJECT_MAX = 72;

/** Word that is out → what to write. Identifiers count by their parts: `buryJob` has `bury`. */
export const WORDS_OUT = {
  bury: 'add to the dead-letter index',
  buries: 'adds to the dead-letter index',
  buried: 'dead',
  unbury: 'take out of the dead-letter index',
  census: 'aggregate',
  cube: 'aggregate',
  deed: 'audit event',
  deeds: 'audit events',
  guarded: 'authorized',
  heal: 'repair',
  heals: 'repairs',
  mend: 'repair',
  mends: 'repairs',
  nobody: 'name the subject',
  recant: 'roll back',
  thaw: 'release',
  thaws: 'releases',
  tidy: 'clean up',
  unshelve: 'restore',
  upkeep: 'maintenance',
  whoever: 'name the subject',
};
const OUT = new Set(Object.keys(WORDS_OUT));
const WORD = /[A-Za-z][a-z]*/g;

/** File names that do not say what the file is for. */
const EMPTY_NAMES = new Set([
  'about',
  'ahead',
  'common',
  'helper',
  'helpers',
  'inside',
  'kept',
  'known',
  'listed',
  'look',
  'misc',
  'noted',
  'shown',
  'stuff',
  'told',
  'util',
  'utils',
  'whose',
  'words',
]);

/** Names that a framework or a feature wants in many folders. */
const SHARED_NAMES =
  /^(index\.tsx?|labels(\.test)?\.ts|(page|layout|loading|error|not-found|global-error)\.tsx|route\.ts|README\.md|package\.json|tsconfig\.json)$/;

const SOURCE = /\.(?:tsx?|mjs|lua)$/;
const stemOf = (/** @type {string} */ file) => basename(file).split('.')[0] ?? '';

/** @param {string} file @param {string} text @returns {string[]} one sentence a line that has a word that is out */
export function wordProblems(file, text) {
  return text.split('\n').flatMap((line, index) => {
    const found = [...line.matchAll(WORD)].map(([word]) => word.toLowerCase()).find((word) => OUT.has(word));
    return found
      ? [
          `${file}:${index + 1} says "${found}". Write: ${WORDS_OUT[/** @type {keyof typeof WORDS_OUT} */ (found)]}.`,
        ]
      : [];
  });
}

/** What a browser may refuse → the one file that touches it, so that no page fails for that. @type {[RegExp, string][]} */
const LENT_BY_THE_BROWSER = [
  [/\b(?:local|session)Storage\b/, 'lib/device/browser-storage.ts'],
  [/\bnavigator\.clipboard\b/, 'lib/device/copy-text.ts'],
  [
    /\bnew Notification\(|(?<!\.)\bNotification\.|typeof Notification\b/,
    'lib/browser/alerts/show-notification.ts',
  ],
  [/\bindexedDB\b|\bdocument\.cookie\b|\bnew BroadcastChannel\(|\bnavigator\.(?:locks|serviceWorker)\b/, ''],
];
const IN_BROWSER = /^(?:app|components|lib\/browser|lib\/device)\/(?!.*\.test\.).*\.tsx?$/;

/** @param {string} file @param {string} text @returns {string[]} */
export const browserProblems = (file, text) =>
  IN_BROWSER.test(file)
    ? LENT_BY_THE_BROWSER.flatMap(([pattern, owner]) => {
        const found = file === owner ? null : pattern.exec(text)?.[0];
        if (!found) return [];
        const way = owner === '' ? 'Give it a module in lib/device that survives without' : `Use ${owner}`;
        return [`${file} uses "${found}", which a browser may refuse. ${way}.`];
      })
    : [];

/** Ids, codes and payloads are monospaced, and translation of pages must leave them alone. */
const MONOSPACED =
  /<(?:span|code|p|dd|dt|ul|pre|h3|div|kbd|section)\b(?![^<>]*\btranslate=)[^<>]*\bfont-mono\b/g;

/** @param {string} file @param {string} text @returns {string[]} */
export const translationProblems = (file, text) =>
  /^(?:app|components)\/(?!.*\.test\.).*\.tsx$/.test(file)
    ? [...text.matchAll(MONOSPACED)].map(
        ({ index }) =>
          `${file}:${text.slice(0, index).split('\n').length} shows data in font-mono. Give it translate="no".`,
      )
    : [];

/** @param {string[]} files paths from the root @returns {string[]} */
export function nameProblems(files) {
  const sources = files.filter((file) => SOURCE.test(file) && !SHARED_NAMES.test(basename(file)));
  /** @type {Map<string, string[]>} */
  const byName = new Map();
  for (const file of sources) byName.set(basename(file), [...(byName.get(basename(file)) ?? []), file]);
  const twins = [...byName.values()]
    .filter(({ length }) => length > 1)
    .map((same) => `${same.join(' and ')} have one name. Name each for what it does.`);
  const stems = new Map(
    sources.filter((file) => !/\.(?:test|spec)\./.test(file)).map((file) => [stemOf(file), file]),
  );
  const pairs = [...stems].flatMap(([stem, file]) =>
    stems.has(`${stem}s`) ? [`${file} and ${stems.get(`${stem}s`)} differ by an s only.`] : [],
  );
  const empty = sources
    .filter((file) => EMPTY_NAMES.has(stemOf(file)))
    .map((file) => `${file}: the name does not say what the file is for.`);
  return [...twins, ...pairs, ...empty];
}

/** @param {string[]} files @returns {string[]} */
export function folderProblems(files) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const file of files) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  return [...counts]
    .filter(([, count]) => count > FILES_A_FOLDER)
    .map(
      ([folder, count]) =>
        `${folder} has ${count} files; at most ${FILES_A_FOLDER}. Give a subject its own folder.`,
    );
}

/** @param {string[]} subjects of commits @returns {string[]} */
export const subjectProblems = (subjects) =>
  subjects
    .filter((subject) => subject.length > SUBJECT_MAX || !/^[a-z][\w./-]*: \S/.test(subject))
    .map(
      (subject) =>
        `The commit "${subject}" needs a subject like "queues: show the reason of a pause", of at most ${SUBJECT_MAX} characters.`,
    );
