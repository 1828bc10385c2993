/** The contract of the embedded scripts: headers tell the truth, and nothing in them can grow with a queue. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { COLUMNS, GLOBAL_KEYS, KEY_FAMILIES } from '@/lib/broker/keys';
import { SCRIPTS, type ScriptName } from '@/lib/broker/lua.generated';
import { compile, expand, generate } from './lua.mjs';

const root = resolve(import.meta.dirname, '..');
const folder = join(root, 'lib/broker/lua');
const NAMES = Object.keys(SCRIPTS) as ScriptName[];
const none = () => {
  throw new Error('nothing is included here');
};
const header = (keys: string) => `-- KEYS: ${keys}\n-- ARGV: clock\n-- REPLY: nothing\n`;

describe('the compiler', () => {
  it('puts KEYS in place of columns, in the order of the header', () => {
    const { keys, lua, sha } = compile(
      'x',
      `${header('jobs ready')}return K_ready .. K_jobs -- K_dead`,
      none,
    );
    expect(keys).toEqual(['jobs', 'ready']);
    expect(lua).toBe('return KEYS[2] .. KEYS[1]');
    expect(sha).toBe(createHash('sha1').update(lua).digest('hex'));
  });

  it.each([
    [
      'a column used but not declared',
      `${header('jobs')}return K_jobs .. K_ready`,
      'x.lua uses K_ready, which its KEYS line does not declare',
    ],
    [
      'a column declared but not used',
      `${header('jobs ready')}return K_jobs`,
      'x.lua declares but never uses: ready',
    ],
    [
      'a column named only in a comment',
      `${header('jobs')}return 1 -- K_jobs`,
      'x.lua declares but never uses: jobs',
    ],
    ['no KEYS line', '-- ARGV: a\n-- REPLY: b\nreturn 1', 'x.lua has no "-- KEYS:" line'],
    ['no ARGV line', '-- KEYS: \n-- REPLY: b\nreturn 1', 'x.lua has no "-- ARGV:" line'],
    ['no REPLY line', '-- KEYS: \n-- ARGV: b\nreturn 1', 'x.lua has no "-- REPLY:" line'],
  ])('refuses %s', (_, source, message) => {
    expect(() => compile('x', source, none)).toThrow(message);
  });

  it('includes a file once, however many ask for it', () => {
    const files: Record<string, string> = { a: '--@include b\nlocal a = 1', b: 'local b = 2' };
    const expanded = expand(
      '--@include a\n--@include b\n--@include a\nreturn 1',
      (name: string) => files[name] ?? none(),
    );
    expect(expanded.match(/local a/g)).toHaveLength(1);
    expect(expanded.match(/local b/g)).toHaveLength(1);
    expect(expanded.indexOf('local b')).toBeLessThan(expanded.indexOf('local a'));
  });
});

describe('the generated module', () => {
  it('is what the sources give', () => {
    expect(readFileSync(join(root, 'lib/broker/lua.generated.ts'), 'utf8')).toBe(generate());
    const check = spawnSync(process.execPath, ['scripts/lua.mjs', '--check'], {
      cwd: root,
      encoding: 'utf8',
    });
    expect([check.status, check.stderr]).toEqual([0, '']);
  });

  it('names only columns and global keys that exist', () => {
    for (const name of NAMES)
      for (const key of SCRIPTS[name].keys)
        expect(
          key === 'index' || key in COLUMNS || key in GLOBAL_KEYS || key in KEY_FAMILIES,
          `${name}: ${key}`,
        ).toBe(true);
  });

  it('leaves no include unused', () => {
    const used = new Set(
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.lua'))
        .flatMap((file) =>
          [...readFileSync(join(folder, file), 'utf8').matchAll(/^--@(?:include|lazy) (\S+)$/gm)].map(
            (match) => match[1],
          ),
        ),
    );
    expect(
      readdirSync(join(folder, 'include')).filter((file) => !used.has(file.replace('.lua', ''))),
    ).toEqual([]);
  });
});

/** What no script may hold, and why. */
const BANNED: readonly [string, RegExp][] = [
  ['a read of a whole index', /\b0,\s*'?-1'?\s*[,)]/],
  ['a range without a limit', /'(ZRANGEBYSCORE|ZRANGEBYLEX|ZREVRANGEBYLEX|ZREVRANGEBYSCORE)'(?!.*'LIMIT')/],
  ['a range by score or lex without a limit', /'BY(SCORE|LEX)'(?!.*'LIMIT')/],
  ['a walk over the key space or a set', /'(KEYS|SCAN|SMEMBERS|LRANGE|HKEYS|HVALS|FLUSHDB|FLUSHALL|SORT)'/],
  ['a JSON decoder: payloads never pass through one', /cjson|cmsgpack/],
  [
    'a key that is built, not declared',
    /redis\.p?call\('(?!TIME)[A-Z]+',(?!\s*(?:'STREAM',\s*)?(KEYS\[|key\b|source\b|target\b))/,
  ],
  ['a key joined from text', /KEYS\[\d+\]\s*\.\./],
  ['a call that hides its errors', /redis\.pcall/],
  ['chance', /math\.random/],
];
/** Small by construction: at most 100 pauses, one counter a kind, and slots only where at most 500 jobs run. */
const WHOLE_HASHES = new Map([
  ['pauses', 100],
  ['counters', 60],
  ['running', 500],
]);

/** Every loop that is not over a list of known length, and what ends it. */
const LOOPS: readonly [condition: string, why: string][] = [
  ['low < high', 'halves a rank: some twenty turns for a million entries'],
  ['left > 0', 'counts down from a number its caller or the script sets'],
  ['config[3] and gone < most', 'each turn deletes at least one job, and stops at 250'],
  ['taken < want and budget > 0 and bytes < 524288', 'each turn takes from a budget of 500'],
  ['#tokens >= tonumber(ARGV[4])', 'each turn drops one of the previews of a user, 100 at most'],
  ['old and (breaks + 2 > 20 or #old + 1 + #line > 16384)', 'each turn drops one of 20 lines'],
];

describe('B7: no script holds', () => {
  it.each(BANNED)('%s', (_, pattern) => {
    const offences = NAMES.flatMap((name) =>
      SCRIPTS[name].lua
        .split('\n')
        .filter((line) => pattern.test(line))
        .map((line) => `${name}: ${line}`),
    );
    expect(offences).toEqual([]);
  });

  it('a read of a whole hash, but for those that are small by construction', () => {
    for (const name of NAMES)
      for (const [, n] of SCRIPTS[name].lua.matchAll(/'HGETALL', KEYS\[(\d+)\]/g))
        expect(WHOLE_HASHES.has(SCRIPTS[name].keys[Number(n) - 1] ?? ''), name).toBe(true);
  });

  it('a loop that nothing ends', () => {
    const found = new Set(
      NAMES.flatMap((name) =>
        [...SCRIPTS[name].lua.matchAll(/\b(?:while (.*) do|repeat\b)/g)].map((match) => match[1] ?? 'repeat'),
      ),
    );
    expect([...found].sort()).toEqual(LOOPS.map(([condition]) => condition).sort());
  });

  it('a walk without a step', () => {
    for (const name of NAMES)
      for (const [call] of SCRIPTS[name].lua.matchAll(/'[HZS]SCAN'.*$/gm))
        expect(call, name).toMatch(/'COUNT', ([1-9]\d|[1-4]\d\d|500)\)/);
  });

  it.each([
    "redis.call('ZRANGE', KEYS[1], 0, -1)",
    "redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now)",
    "redis.call('ZRANGE', KEYS[1], '-inf', now, 'BYSCORE')",
    "redis.call('KEYS', 'rd:*')",
    'local job = cjson.decode(row)',
    "redis.call('HGET', 'rd:' .. ARGV[2], id)",
    "redis.call('HGET', ARGV[2], id)",
    "redis.call('HGET', KEYS[1] .. id, 'x')",
    "redis.pcall('GET', KEYS[1])",
  ])('what would look like %s: the check sees it', (line) => {
    expect(BANNED.some(([, pattern]) => pattern.test(line))).toBe(true);
  });
});

/** `once` is the only lock there is; the rest are compare-and-set, or a lease that stands in an index by its end. */
describe('B23: no lock is without an end', () => {
  it('in a script: what is set has its time to live in the same command, and is somebody’s', () => {
    // When a queue was deleted is a mark that runs out, and holds nothing.
    const sets = NAMES.filter((name) => name !== 'bulk-delete-queue').flatMap((name) =>
      [...SCRIPTS[name].lua.matchAll(/redis\.call\('(SET|SETNX|SETEX|EXPIRE|PEXPIRE|GETSET)'.*$/gm)].map(
        ([call, command]) => ({ name, command, call }),
      ),
    );
    const locks = ['once-begin', 'once-finish'];
    // A preview waits to be confirmed and holds nothing; it runs out, too.
    const others = ['preview-save', 'preview-take'];
    // The lab's settings are a document.
    const documents = ['lab-save'];
    expect([...new Set(sets.map(({ name }) => name))].sort()).toEqual([...documents, ...locks, ...others]);
    for (const { name, command, call } of sets) {
      expect(command).toBe('SET');
      if (documents.includes(name)) continue;
      expect(call).toMatch(/'PX', .+\)$/);
      if (locks.includes(name)) expect(call).toMatch(/' \.\. token \.\. ' '.*'PX', [^,]+\)$/);
    }
  });

  it('in the library: plain SET is for values nobody waits for', () => {
    const found = readdirSync(join(root, 'lib'), { recursive: true, encoding: 'utf8' })
      .filter(
        (file) => file.endsWith('.ts') && !file.includes('.test.') && !file.endsWith('lua.generated.ts'),
      )
      .flatMap((file) =>
        [
          ...readFileSync(join(root, 'lib', file), 'utf8').matchAll(
            /redis\.(set|setnx|setex|expire|pexpire)\(.*$/gm,
          ),
        ].map(
          ([call]) =>
            `${file}: ${call.includes("'PX'") ? 'with an end' : call.match(/global\('(\w+)'\)/)?.[1]}`,
        ),
      );
    // What the lab's supervisor reports ends by itself; of the key that seals cursors and of the id of the data the first counts.
    expect(found.sort()).toEqual([
      'broker/dataset.ts: undefined',
      'broker/lab.ts: with an end',
      'broker/search/seal.ts: undefined',
    ]);
  });
});

describe('a script that leaves a record for the audit log', () => {
  const sources = NAMES.map(
    (name) => [name, expand(readFileSync(join(folder, `${name}.lua`), 'utf8'), read)] as const,
  );
  const recording = sources.filter(([, lua]) =>
    /(?<!function )\b(audit|record|record_jobs)\(/.test(code(lua)),
  );

  it('is there', () => {
    expect(recording.length).toBeGreaterThan(30);
  });

  /** So that what cannot be recorded is not done: a key of another type ends the script while nothing is written. */
  it.each(recording)('%s looks at its outbox before it writes anything', (_, lua) => {
    const opens = code(lua).search(/(?<!function )\baudit_opens\(/);
    const writes = top(code(lua)).search(
      /^redis\.call\('(?:[HZ]?DEL|HSET|ZADD|ZREM|XADD|XDEL|SET|RPUSH|HINCRBY)'/m,
    );
    expect(opens).toBeGreaterThan(-1);
    if (writes > -1) expect(opens).toBeLessThan(writes);
  });
});

const read = (name: string) => readFileSync(join(folder, 'include', `${name}.lua`), 'utf8');
const code = (lua: string) => lua.replace(/--(?!@).*$/gm, '');
/** Lines of the script's own course, with those inside of functions blanked out at their length. */
function top(lua: string): string {
  return lua.replace(/^local function [\s\S]*?^end$/gm, (body) => ' '.repeat(body.length));
}
