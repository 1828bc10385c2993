/** The contract of the embedded scripts: headers tell the truth, and nothing in them can grow with a queue. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SCRIPTS, type ScriptName } from '@/lib/broker/lua.generated';
import { COLUMNS, GLOBAL_KEYS, KEY_FAMILIES } from '@/lib/broker/redis/redis-keys';
import { statements } from './lib/lua-source.mjs';
import { compile, generate, luaFiles, readModule, sources } from './lua.mjs';

const root = resolve(import.meta.dirname, '..');
const folder = join(root, 'lib/broker/lua');
const NAMES = Object.keys(SCRIPTS) as ScriptName[];
const none = (id: string): string => {
  throw new Error(`there is no module ${id}`);
};
const header = (keys: string) => `-- KEYS: ${keys}\n-- ARGV: clock\n-- REPLY: nothing\n`;
const KEYS = "local keys = require('keys')\n";
const bundle = (source: string, modules: Record<string, string> = {}, keys = '') =>
  compile('x', `${header(keys)}${source}`, (id: string) => modules[id] ?? none(id)).lua;

describe('the bundler', () => {
  it('puts KEYS in place of columns, in the order of the header', () => {
    const { keys, lua, sha } = compile(
      'x',
      `${header('jobs ready')}${KEYS}return keys.ready .. keys.jobs -- keys.dead`,
      none,
    );
    expect(keys).toEqual(['jobs', 'ready']);
    expect(lua).toBe('return KEYS[2] .. KEYS[1]');
    expect(sha).toBe(createHash('sha1').update(lua).digest('hex'));
  });

  it.each([
    [
      'a column used but not declared',
      `${header('jobs')}${KEYS}return keys.jobs .. keys.ready`,
      'x.lua uses keys.ready, which its KEYS line does not declare',
    ],
    [
      'a column declared but not used',
      `${header('jobs ready')}${KEYS}return keys.jobs`,
      'x.lua declares but never uses: ready',
    ],
    [
      'a column named only in a comment',
      `${header('jobs')}return 1 -- keys.jobs`,
      'x.lua declares but never uses: jobs',
    ],
    ['no KEYS line', '-- ARGV: a\n-- REPLY: b\nreturn 1', 'x.lua has no "-- KEYS:" line'],
    ['no ARGV line', '-- KEYS: \n-- REPLY: b\nreturn 1', 'x.lua has no "-- ARGV:" line'],
    ['no REPLY line', '-- KEYS: \n-- ARGV: b\nreturn 1', 'x.lua has no "-- REPLY:" line'],
    ['a name that nothing declares', `${header('')}return other(1)`, 'x: other is declared nowhere'],
    [
      'a variable with the name of a module',
      `${header('')}local row = require('a')\nlocal row = 1\nreturn row`,
      'x: row is a module and a variable',
    ],
    [
      'a module that is changed from outside',
      `${header('')}local a = require('a')\na.b = 1\nreturn a.b`,
      'x: assigns to a.b',
    ],
    ['a require within an expression', `${header('')}return require('a').b`, 'x has a require that is not'],
  ])('refuses %s', (_, source, message) => {
    expect(() => compile('x', source, none)).toThrow(message);
  });

  const modules = {
    a: "local b = require('b')\nlocal function one() return b.two() end\nlocal function other() return 7 end\nreturn { one = one, other = other }",
    b: 'local function two() return 2 end\nreturn { two = two }',
  };

  it('has modules in dependency order, each once, with the functions that are used', () => {
    const lua = bundle("local a = require('a')\nlocal b = require('b')\nreturn a.one() + b.two()", modules);
    expect(lua.match(/return 2/g)).toHaveLength(1);
    expect(lua.indexOf('function two')).toBeLessThan(lua.indexOf('function one'));
    expect(lua).not.toContain('other');
    expect(lua).toContain('return a_one() + b_two()');
  });

  it('makes a module that only functions require when the first of them runs', () => {
    const lua = bundle(
      "local function rare()\n  local a = require('a')\n  return a.one()\nend\nreturn ARGV[2] and rare()",
      modules,
    );
    expect(lua).toContain("local a = __late('a')");
    expect(lua.indexOf('function __late(id)')).toBeLessThan(lua.indexOf('function two'));
  });

  it.each([
    ['asks for what a module does not have', "local a = require('a')\nreturn a.none()", 'does not export'],
    ['requires itself', "local c = require('c')\nreturn c.x()", 'requires itself: c → d → c'],
  ])('refuses a script that %s', (_, source, message) => {
    const circle = {
      c: "local d = require('d')\nlocal function x() return d.y() end\nreturn { x = x }",
      d: "local c = require('c')\nlocal function y() return c.x() end\nreturn { y = y }",
    };
    expect(() => bundle(source, { ...modules, ...circle })).toThrow(message);
  });

  const tally = {
    tally:
      "local n = 0\nlocal function add() n = n + 1 end\nlocal function commit() redis.call('SET', KEYS[1], n) end\nreturn { add = add, commit = commit }",
    late: "local tally = require('tally')\nlocal function add() tally.add() end\nlocal function commit() tally.add() end\nreturn { add = add, commit = commit }",
  };
  it('commits at the end, the last module first, one that was made late only if it was', () => {
    const lua = bundle(
      "local queue = require('queue')\nlocal tally = require('tally')\nif ARGV[2] then\n  local late = require('late')\n  late.add()\nend\ntally.add()\nreturn queue.commit(1)",
      tally,
    );
    expect(lua).toContain(
      'local function __commit(reply)\nwhile __commits and #__commits > 0 do table.remove(__commits)() end\ntally_commit()\nreturn reply\nend',
    );
  });

  it.each([
    ['does not commit what it tallied', "local tally = require('tally')\ntally.add()\nreturn 1"],
    [
      'returns early without',
      "local queue = require('queue')\nlocal tally = require('tally')\nif ARGV[2] then return 0 end\ntally.add()\nreturn queue.commit(1)",
    ],
  ])('refuses a script that %s', (_, source) => {
    expect(() => bundle(source, tally)).toThrow('must return through queue.commit(…) everywhere');
  });
});

describe('the generated module', () => {
  it('is what the sources give', () => {
    expect(readFileSync(join(root, 'lib/broker/lua.generated.ts'), 'utf8')).toContain(generate());
  });

  it('names only columns and global keys that exist', () => {
    for (const name of NAMES)
      for (const key of SCRIPTS[name].keys)
        expect(
          key === 'index' || key in COLUMNS || key in GLOBAL_KEYS || key in KEY_FAMILIES,
          `${name}: ${key}`,
        ).toBe(true);
  });

  it('leaves no module and no export unused', () => {
    const all = luaFiles().filter((file) => ![...sources().values()].some((script) => script.file === file));
    const texts = luaFiles().map((file) => readFileSync(join(folder, file), 'utf8'));
    const unused = all.flatMap((file) => {
      const id = file.slice(0, -4).replaceAll('/', '.');
      const users = texts.filter((text) => text.includes(`require('${id}')`));
      const exported = readModule(id).match(/^return \{([\s\S]*)\}$/m)?.[1] ?? '';
      return [...exported.matchAll(/(\w+) = /g)]
        .map(([, name]) => `${id}.${name}`)
        .filter((name) => {
          const member = name.slice(id.length + 1);
          return (
            member !== 'commit' &&
            !users.some((text) =>
              new RegExp(`\\b${id.split('.').at(-1)}\\.${member}\\b|'\\)\\.${member}$`, 'm').test(text),
            )
          );
        });
    });
    expect(unused).toEqual([]);
  });

  it('has at most 25 files a folder', () => {
    const folders = new Map<string, number>();
    for (const file of luaFiles() as string[])
      folders.set(dirname(file), (folders.get(dirname(file)) ?? 0) + 1);
    expect([...folders].filter(([, files]) => files > 25)).toEqual([]);
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
    /redis\.p?call\('(?!TIME)[A-Z]+',(?!\s*(?:'(?:STREAM|USAGE|ENCODING)',\s*)?(KEYS\[|key\b|source\b|target\b))/,
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
  ['tallies', 601],
]);

/** Every loop that is not over a list of known length, and what ends it. */
const LOOPS: readonly [condition: string, why: string][] = [
  ['low < high', 'halves a rank: some twenty turns for a million entries'],
  ['at < #block', 'each turn passes by one of ten rows'],
  ['n >= 128', 'each turn divides a number by 128'],
  ['true', 'each turn reads a byte of a number in a row: at most eight'],
  ['left > 0', 'counts down from a number its caller or the script sets'],
  ['keepBytes and gone < most', 'each turn deletes at least one job, and stops at 250'],
  ['taken < want and budget > 0 and bytes < 524288', 'each turn takes from a budget of 500'],
  ['taken < want and size < 524288', 'each turn takes at least one of at most 500 jobs'],
  ['#tokens >= tonumber(ARGV[4])', 'each turn drops one of the previews of a user, 100 at most'],
  ['__commits and #__commits > 0', 'each turn takes one of the modules that were made late'],
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
    const sets = NAMES.filter((name) => name !== 'delete-queue').flatMap((name) =>
      [...SCRIPTS[name].lua.matchAll(/redis\.call\('(SET|SETNX|SETEX|EXPIRE|PEXPIRE|GETSET)'.*$/gm)].map(
        ([call, command]) => ({ name, command, call }),
      ),
    );
    const locks = ['once-begin', 'once-finish'];
    // A preview waits to be confirmed and holds nothing; it runs out, too.
    const others = ['preview-save', 'preview-take'];
    // The lab's settings are a document, also when a drill replaces them.
    const documents = ['drill-save', 'lab-save'];
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
      'broker/redis/dataset/dataset.ts: undefined',
      'broker/redis/dataset/recorded-loss.ts: with an end',
      'broker/search/list-cursor.ts: undefined',
      'lab/lab-records.ts: with an end',
    ]);
  });
});

describe('a script that leaves an audit event', () => {
  const recording = NAMES.filter((name) => /audit_event_add\(|audit_event\.add\(/.test(SCRIPTS[name].lua));

  it('is there', () => {
    expect(recording.length).toBeGreaterThan(30);
  });

  /** So that what cannot be recorded is not done: a key of another type ends the script while nothing is written. */
  it.each(recording)('%s looks at its outbox before it writes anything', (name) => {
    const lua = SCRIPTS[name].lua;
    const course = top(lua);
    const opens = course.search(/audit_event_open\(|audit_event\.open\(/);
    const writes = course.search(/^redis\.call\('(?:[HZ]?DEL|HSET|ZADD|ZREM|XADD|XDEL|SET|RPUSH|HINCRBY)'/m);
    expect(opens).toBeGreaterThan(-1);
    if (writes > -1) expect(opens).toBeLessThan(writes);
  });
});

/** What the script itself does, one behind the other: without its functions, and without the blocks of its modules. */
function top(lua: string): string {
  return (statements(lua) as string[])
    .filter((text) => !/^(?:local )?function \w/.test(text))
    .map((text) => (text.startsWith('do\n') ? top(text.split('\n').slice(1, -1).join('\n')) : text))
    .join('\n');
}
