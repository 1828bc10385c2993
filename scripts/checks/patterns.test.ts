/**
 * What somebody typed is only ever compared, never run: not as a regular expression, not as a pattern of Redis or Lua, not as the text
 * of a script, and not as an error that a script makes up. Each was a hole somewhere else; see docs/security.md.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { linesWith, sourcesIn } from '@/testing/project-files';

const SHIPPED = sourcesIn(['app', 'components', 'lib', 'worker', 'cli']);
const LUA = sourcesIn(['lib/broker/lua'], { ending: /\.lua$/ });
const ALL = sourcesIn(['app', 'lib', 'worker', 'cli', 'scripts', 'testing', 'e2e', 'bench', 'examples'], {
  tests: true,
});

it('there is something to look at', () => {
  expect(SHIPPED.length).toBeGreaterThan(300);
  expect(LUA.length).toBeGreaterThan(60);
});

describe('S10: no regular expression is made of what somebody typed', () => {
  it('those that are put together are made of our own words', () => {
    expect(linesWith(SHIPPED, /\bRegExp\s*\(/).sort()).toEqual([
      // biome-ignore-start lint/suspicious/noTemplateCurlyInString: lines of source
      "lib/broker/redis/redis-errors.ts: const REFUSAL = new RegExp(`(?:^-?|Last error: (?:\\\\w+: )?)(${Object.keys(REFUSALS).join('|')})\\\\b`);",
      "lib/broker/redis/server-check.ts: const field = (name: string) => info.match(new RegExp(`^${name}:(.*?)\\\\r?$`, 'm'))?.[1] ?? '';",
      'lib/server/authentication/resolve-principal.ts: const TOKEN = new RegExp(`^${TOKEN_PREFIX}[A-Za-z0-9_-]{43}$`);',
      // biome-ignore-end lint/suspicious/noTemplateCurlyInString: lines of source
    ]);
  });

  const NESTED = /\((?:\?:)?[^()\n]*[^\\][+*]\)(?:[+*]|\{\d+,\})/;
  it('and none that is written repeats what already repeats', () => {
    // In these two what repeats begins with a letter that the repeated part cannot be: there is one way to read any text.
    expect(
      linesWith(SHIPPED, NESTED)
        .map((line) => line.split(': ')[0])
        .sort(),
    ).toEqual(['lib/broker/jobs/failure-fingerprint.ts', 'lib/broker/jobs/failure-fingerprint.ts']);
    for (const bad of ['/^(a+)+$/', '/(?:x*)*y/', '/(\\d+){2,}/']) expect(bad).toMatch(NESTED);
    for (const fine of ['/^(a+)$/', '/(\\+)+/', '/(?:ab)+c*/']) expect(fine).not.toMatch(NESTED);
  });
});

describe('S18: no pattern of Redis is made of what somebody typed', () => {
  it('nothing asks Redis for keys by pattern, or changes its settings', () => {
    const words =
      'KEYS|SCAN|MATCH|PSUBSCRIBE|ACL|CONFIG|SCRIPT|FUNCTION|DEBUG|RESTORE|MIGRATE|SORT|STRALGO|LCS';
    // The checks of a server read settings by fixed names and go through keys without a pattern, and say so where they may not.
    const reads =
      /ask\('(?:CONFIG', 'GET', (?:firstName|name)|ACL', 'GETUSER', 'default'|SCAN', cursor, 'COUNT', .*)\)|notAllowed\('CONFIG'\)/;
    const lines = linesWith([...SHIPPED, ...LUA], new RegExp(`['"\`](${words})['"\`]`));
    expect(lines.filter((line) => !reads.test(line))).toEqual([]);
    expect(new Set(lines.map((line) => line.split('/').slice(0, -1).join('/')))).toEqual(
      new Set(['lib/broker/redis/checks']),
    );
    expect(
      linesWith(
        SHIPPED,
        /\bredis\w*\.(keys|scan\w*|psubscribe|acl|config|script|debug|restore|eval\w*|function)\(/,
      ),
    ).toEqual([]);
  });

  it('patterns of Lua are written in the script; what is looked for is looked for as it is', () => {
    const odd = LUA.flatMap(({ file, text }) =>
      callsOf(text, ['string.match', 'string.gmatch', 'string.gsub', 'string.find', 'string.format']).flatMap(
        ({ name, args }) => {
          const pattern = args[name === 'string.format' ? 0 : 1] ?? '';
          // Or by a constant that is put together of written parts.
          const constant = /^[A-Z_]+$/.test(pattern)
            ? (new RegExp(`^local ${pattern} = (.*)$`, 'm').exec(text)?.[1] ?? '')
            : '';
          const isWritten =
            /^'[^']*'$/.test(pattern) ||
            /^how\[1\]$/.test(pattern) ||
            /^(?:(?:'[^']*'|string\.rep\('[^']*', \d+\))(?: \.\. |$))+$/.test(constant);
          const isPlain = name === 'string.find' && args[3] === 'true';
          return isWritten || isPlain ? [] : [`${file}: ${name}(${args.join(', ')})`];
        },
      ),
    );
    expect(odd).toEqual([]);
  });

  it('what would break that is seen', () => {
    const [found, aliased] = [
      "local a = string.find(row, ARGV[2]) or string.match(row, '^(%d+), (%S+)')",
      "return s:gsub(ARGV[2], '')",
    ];
    expect(callsOf(found ?? '', ['string.find', 'string.match'])).toEqual([
      { name: 'string.find', args: ['row', 'ARGV[2]'] },
      { name: 'string.match', args: ['row', "'^(%d+), (%S+)'"] },
    ]);
    expect(linesWith(LUA, METHOD)).toEqual([]);
    expect(aliased).toMatch(METHOD);
  });
  /** The other way to write the same calls, which the check above would not see. */
  const METHOD = /[\w)\]]:(match|gmatch|gsub|find|format|rep)\(/;
});

describe('S16: no script is made of what somebody typed', () => {
  it('one file chooses the scripts that are sent, and those it has are compiled in', () => {
    const sending = linesWith(SHIPPED, /['"`](EVAL|EVALSHA|EVAL_RO|FCALL)['"`]/).map(
      (line) => line.split(': ')[0],
    );
    const sender = 'lib/broker/redis/script-runner.ts';
    // It gets the digest from the sender.
    const command = 'lib/broker/redis/scripts/script-command.ts';
    expect([...new Set(sending)]).toEqual([sender, command]);
    const used = linesWith(SHIPPED, /\b(sendScript|new ScriptCommand)\(/).map((line) => line.split(': ')[0]);
    expect([...new Set(used)]).toEqual([sender, command]);
    const text = SHIPPED.find(({ file }) => file === sender)?.text ?? '';
    expect(text).toMatch(/\{ ?sha, lua ?\} = SCRIPTS\[name\]/);
    expect(text).toMatch(/'EVALSHA', SCRIPTS\[script\]\.sha/);
    expect(linesWith(LUA, /\b(loadstring|load|dofile|setfenv|debug\.)\s*\(/)).toEqual([]);
  });
});

describe('S17: a script never puts what somebody typed into an error', () => {
  it('errors are written in the script, and most scripts answer with codes', () => {
    const replies = LUA.flatMap(({ text }) =>
      callsOf(text, ['redis.error_reply', 'redis.status_reply', 'error']),
    );
    expect(replies.length).toBeGreaterThan(0);
    for (const { args } of replies) {
      expect(args).toHaveLength(1);
      expect(args[0]).toMatch(/^'[\x20-\x7e]*'$/);
    }
    expect(linesWith(LUA, /\{\s*(err|ok)\s*=/)).toEqual([]);
  });
});

describe('S20: a temporary folder is nobody else’s', () => {
  it('each has a name that cannot be guessed, and nothing is put beside it', () => {
    const uses = linesWith(ALL, /\btmpdir\(\)|['"`]\/tmp\/(?![\w-]+\.sock)/);
    expect(uses.length).toBeGreaterThan(5);
    expect(uses.filter((line) => !/mkdtemp(Sync)?\(join\(tmpdir\(\), '/.test(line))).toEqual([]);
  });

  it('and is closed to others', () => {
    const folder = mkdtempSync(join(tmpdir(), 'redrive-patterns-'));
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    rmSync(folder, { recursive: true });
  });
});

/** Calls of these functions in a Lua source, with their arguments as they are written. Comments are left out. */
function callsOf(text: string, names: readonly string[]): { name: string; args: string[] }[] {
  const code = text.replace(/^\s*--.*$/gm, '');
  return names.flatMap((name) => {
    const found: { name: string; args: string[] }[] = [];
    for (let at = code.indexOf(`${name}(`); at >= 0; at = code.indexOf(`${name}(`, at + 1))
      if (!/[\w.]/.test(code[at - 1] ?? ''))
        found.push({ name, args: argumentsAt(code, at + name.length + 1) });
    return found;
  });
}

function argumentsAt(code: string, from: number): string[] {
  const args = [''];
  let depth = 0;
  let inText = false;
  for (let i = from; i < code.length; i++) {
    const c = code[i] ?? '';
    if (c === "'" && code[i - 1] !== '\\') inText = !inText;
    else if (!inText && '([{'.includes(c)) depth++;
    else if (!inText && ')]}'.includes(c) && --depth < 0) break;
    if (!inText && depth === 0 && c === ',') args.push('');
    else args[args.length - 1] += c;
  }
  return args.map((arg) => arg.trim());
}
