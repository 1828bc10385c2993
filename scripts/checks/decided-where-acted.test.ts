/** A right that is decided on one reading and used on another is a race: the table in docs/permissions.md says of each change where it is decided. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { hasTest, testsIn } from './named-tests';

const ROOT = join(import.meta.dirname, '../..');
const FOLDERS = ['lib/server/authorized-broker', 'lib/server/lab'];
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

/** They change nothing. */
const READS =
  /^(?:now|inspect\.\w+|config\.get|operations\.(?:get|list|jobs)|workers\.(?:held|releases)|alerts\.(?:read|ended|deliveries|channels|fired)|audit\.(?:list|check|head|matching)|searches\.list|schedules\.(?:listed|recentRuns|runsOf|find|get|shownSchedule|previewSchedule)|access\.tables\.get|lab\.(?:events|state|samples))$/;
/** A call of the broker, with the code up to the end of its statement. */
const CALLS = /(?:getBroker\(\)\s*\.?(\[action\]|[\w.]+)\(|\b(schedules\.\w+)\()/g;
/** Names that a method gives to a part of the broker: such calls would be seen by nobody. */
const ALIASES = /const \{ ([\w, ]+) \} = getBroker\(\)/g;
const READ_ONLY_ALIASES = new Set(['inspect', 'operations', 'alerts', 'audit']);

/** The lab, which has a connection of its own, is called like a part of the broker. */
const sources = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.startsWith('authorized-') && !name.includes('.test.'))
    .map((name) => ({ name, text: read(`${folder}/${name}`).replaceAll('getLab()', 'getBroker().lab') })),
);

interface Change {
  readonly verb: string;
  readonly where: string;
  /** The arguments, by their brackets. */
  readonly args: string;
}
function argsAt(text: string, from: number): string {
  let depth = 1;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1;
    if (text[at] === ')') depth -= 1;
    if (depth === 0) return text.slice(from, at);
  }
  return text.slice(from);
}
const changesIn = (name: string, text: string): Change[] =>
  [...text.matchAll(CALLS)].flatMap((match) => {
    const verb = (match[1] ?? match[2] ?? '').replace(/^\./, '');
    return READS.test(verb) ? [] : [{ verb, where: name, args: argsAt(text, match.index + match[0].length) }];
  });
const changes = sources.flatMap(({ name, text }) => changesIn(name, text));

const section = /## Where rights are decided\n([\s\S]*?)\n## /.exec(read('docs/permissions.md'))?.[1] ?? '';
const rows = section
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => {
    const [, what = '', decided = '', tests = ''] = line.split('|');
    return { verbs: [...what.matchAll(/`([^`]+)`/g)].map(([, verb = '']) => verb), decided, tests };
  });

it('each change that a request can make says where its right is decided', () => {
  const said = new Set(rows.flatMap(({ verbs }) => verbs));
  expect(changes.length).toBeGreaterThan(30);
  expect(changes.filter(({ verb }) => !said.has(verb)).map(({ verb, where }) => `${where}: ${verb}`)).toEqual(
    [],
  );
  const made = new Set(changes.map(({ verb }) => verb));
  expect([...said].filter((verb) => !made.has(verb))).toEqual([]);
});

/** A function among the arguments: named, or written there. */
const DECIDES = { may: /=>|\bmay\b/, mine: /\bmine\b/ } as const;
it('a right that is decided on a row goes with the call that changes the row', () => {
  const without = rows.flatMap(({ verbs, decided }) => {
    const [, how] = /^ `(may|mine)`/.exec(decided) ?? [];
    if (how === undefined) return [];
    const decides = DECIDES[how as keyof typeof DECIDES];
    return changes.filter(({ verb, args }) => verbs.includes(verb) && !decides.test(args));
  });
  expect(without.map(({ verb, where }) => `${where}: ${verb}`)).toEqual([]);
});

it('no change hides behind another name of the broker', () => {
  const aliases = sources.flatMap(({ text }) =>
    [...text.matchAll(ALIASES)].flatMap(([, names = '']) => names.split(/, ?/)),
  );
  expect(aliases.filter((name) => !READ_ONLY_ALIASES.has(name.trim()))).toEqual([]);
  for (const { name, text } of sources)
    for (const [, verb = ''] of text.matchAll(/(?<![.\w)])((?:operations|alerts|audit)\.\w+)\(/g))
      if (!READS.test(verb)) expect(`${name}: ${verb}`).toBe('authorized-audit.ts: audit.note');
});

it('the scan sees a change whose right was decided before', () => {
  const text =
    "const x = await getBroker().inspect.job(id); if (x) await getBroker().operations.act(id, 'pause', by());";
  expect(changesIn('x', text)).toEqual([{ verb: 'operations.act', where: 'x', args: "id, 'pause', by()" }]);
  expect(DECIDES.may.test("id, 'pause', by()")).toBe(false);
});

it.each(testsIn(section).map((named) => [named.file, named.titles] as const))(
  '%s has these tests',
  (file, titles) => {
    expect(existsSync(join(ROOT, file))).toBe(true);
    for (const title of titles) expect(hasTest(read(file), title), title).toBe(true);
  },
);
