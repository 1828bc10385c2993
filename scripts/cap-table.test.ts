/** Each place that caps or trims something has a row in testing/caps, and docs/operate/limits.md shows them; `vitest -u` writes its tables anew. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { QUOTAS, type Quota } from '@/lib/contract/access/quotas';
import { capSites } from '@/testing/caps/cap-sites';
import { QUOTA_SITES, SHARED_CAPS } from '@/testing/caps/cap-table';
import { PROCESS_CAPS } from '@/testing/caps/process-caps';
import { QUEUE_CAPS } from '@/testing/caps/queue-caps';
import { UNSHARED_CAPS } from '@/testing/caps/unshared-caps';
import { sourcesIn } from '@/testing/project-files';

const ROOT = join(import.meta.dirname, '..');
const PAGE = join(ROOT, 'docs/operate/limits.md');

/** What runs in a browser holds only what belongs to its user; fixtures are parts of tests. */
const IS_ELSEWHERE = /^lib\/browser\/|\/fixtures?-/;
const found = sourcesIn(['lib', 'worker', 'app'], { ending: /\.(ts|lua)$/ })
  .filter(({ file }) => !IS_ELSEWHERE.test(file))
  .flatMap(({ file, text }) => capSites(file, text));
const unshared = [...QUEUE_CAPS, ...UNSHARED_CAPS, ...PROCESS_CAPS];
const rows = [...SHARED_CAPS, ...unshared];
const named = [...Object.values(QUOTA_SITES).flat(), ...rows.flatMap(({ sites }) => sites)];

it('has a row for each place in the sources that caps or trims something', () => {
  const known = new Set(named);
  const without = found.filter((site) => !known.has(site));
  expect(without, 'say in testing/caps whose it is, and which part of it one user may hold').toEqual([]);
});

it('has no row for a place that is gone', () => {
  const there = new Set<string>(found);
  expect(named.filter((site) => !there.has(site))).toEqual([]);
});

it('finds what caps and trims, whatever it is written like', () => {
  const lua = (line: string) => capSites('a.lua', line);
  expect(lua("redis.call('XADD', keys.x, 'MAXLEN', '~', 1000, '*', 'a', b)")).toEqual([
    'a.lua · XADD keys.x',
  ]);
  expect(lua("redis.call('XADD', keys.x, '*', 'a', b) -- MAXLEN")).toEqual([]);
  expect(lua("redis.call('XTRIM', keys.x, 'MINID', 5)")).toEqual(['a.lua · XTRIM keys.x']);
  expect(lua("redis.call('ZREMRANGEBYRANK', keys.x, 0, n)")).toHaveLength(1);
  expect(lua("redis.call('ZREMRANGEBYSCORE', keys.x, 0, n)")).toHaveLength(1);
  expect(lua("local old = redis.call('ZPOPMIN', keys.x)")).toHaveLength(1);
  expect(lua("redis.call('XDEL', keys.x, unpack(old))")).toEqual(['a.lua · XDEL keys.x']);
  expect(lua("redis.call('XDEL', keys.x, '0-1')")).toEqual([]);
  expect(lua("redis.call('LTRIM', keys.x, 0, 19)")).toHaveLength(1);
  expect(lua("if redis.call('HLEN', keys.x) >= 100 then return 0 end")).toEqual(['a.lua · HLEN keys.x']);
  expect(lua("local over = redis.call('ZCARD', keys.x) - 200")).toHaveLength(1);
  expect(lua('while #mine >= tonumber(ARGV[4]) do drop() end')).toHaveLength(1);
  expect(lua('local kept = table.concat(list, sep, math.max(1, #list - MOST + 1))')).toHaveLength(1);
  expect(lua('if n > NAMES_MAX then return 0 end')).toHaveLength(1);
  expect(lua('local why = shares.refusal(keys.x, ask)')).toHaveLength(1);
  const ts = (line: string) => capSites('a.ts', line);
  expect(ts('const cache = new LRUCache<string, number>({ max: 5 });')).toEqual([
    'a.ts · cache new LRUCache',
  ]);
  expect(ts('const cache = perContext(\n  () =>\n    new LRUCache<string, X>({ max: 5 }),\n);')).toHaveLength(
    1,
  );
  expect(ts('private readonly seen: LRUCache<string, X> = new LRUCache({ max: MAX });')).toHaveLength(1);
  expect(ts('await redis.ltrim(key, -100, -1)')).toHaveLength(1);
  expect(ts('return marks.sort(byTime).slice(-MARKS_MAX);')).toHaveLength(1);
  expect(ts('while (all.length > 9) all.shift();')).toHaveLength(1);
  expect(ts('rows.length = MOST;')).toHaveLength(1);
  expect(ts('if (this.open.size >= OPEN_MAX) throw tooMany();')).toHaveLength(1);
  expect(ts('if (names.size < NAMES_REMEMBERED) names.add(name);')).toHaveLength(1);
  expect(ts('if (list.length >= ITEMS_MAX) return;')).toHaveLength(1);
  expect(ts('isFull: (owner, theirs) => theirs >= limits.waitingEach,')).toHaveLength(1);
  expect(ts('const surplus = (await redis.hlen(key)) - ROWS_MAX;')).toHaveLength(1);
  expect(ts('return keepFairly(all, KEPT, holderOf);')).toHaveLength(1);
  expect(ts('// a comment: list.length >= ITEMS_MAX')).toEqual([]);
  expect(ts('const last = text.slice(-1);')).toEqual([]);
});

it.each(SHARED_CAPS.map(({ list, test }) => [list, test] as const))(
  'has a test in which one user takes all they can of: %s',
  (_, test) => {
    const [file = '', title = ''] = test.split(' › ');
    expect(existsSync(join(ROOT, file)), file).toBe(true);
    expect(title).not.toBe('');
    expect(readFileSync(join(ROOT, file), 'utf8')).toContain(`'${title}'`);
  },
);

it('docs/operate/limits.md shows the table', async () => {
  const number = (n: number) => n.toLocaleString('en-US');
  const [intro = ''] = readFileSync(PAGE, 'utf8').split('## Shares of users and tenants\n');
  const page = [
    `${intro}## Shares of users and tenants\n`,
    'A script refuses what is beyond with 409 `LIMIT_REACHED`, and says how to make room.\n',
    '| limit | total | one user | users of one tenant | reserve for administrators | how to make room |\n|---|---|---|---|---|---|',
    ...(Object.values(QUOTAS) as Quota[]).map(
      ({ things, total, perUser, perTenant, reserve, remedy }) =>
        `| ${things} | ${[total, perUser, perTenant, reserve].map(number).join(' | ')} | ${remedy} |`,
    ),
    '\n## Lists that drop, and other shares\n',
    '| list | cap | a share | at the cap | how there is room again |\n|---|---|---|---|---|',
    ...SHARED_CAPS.map(
      ({ list, cap, share, atCap, freed }) => `| ${[list, cap, share, atCap, freed].join(' | ')} |`,
    ),
    '\n## What users do not share\n',
    '| list | cap | at the cap | how there is room again | why it needs no shares |\n|---|---|---|---|---|',
    ...unshared.map(
      ({ list, cap, atCap, freed, why }) => `| ${[list, cap, atCap, freed, why].join(' | ')} |`,
    ),
  ];
  await expect(`${page.join('\n')}\n`).toMatchFileSnapshot(PAGE);
});
