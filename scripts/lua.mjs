/**
 * Embeds lib/broker/lua/*.lua into lib/broker/lua.generated.ts, so that Next, the worker, the command line and the tests
 * all run the same bytes without reading files at run time.
 *
 *   node scripts/lua.mjs           writes the module
 *   node scripts/lua.mjs --check   fails when the committed module is not what the sources give
 *
 * A script's header is its contract: `-- KEYS: jobs ready …` names the columns it touches, in order. `K_ready` in the
 * body then stands for `KEYS[n]`. A column used but not declared, or declared but not used, is an error.
 *
 * `--@include name` puts a file of lua/include in its place, once a script. `--@lazy name` does the same for functions that
 * most calls of the script never reach: they are made when the first of them is called. Redis runs a script from its first
 * line each time, and making some fifty functions to use ten of them is a third of what a small call costs.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..');
const folder = join(root, 'lib/broker/lua');
const target = join(root, 'lib/broker/lua.generated.ts');

/** Replaces each `--@include name` and `--@lazy name` line by that file, every file at most once. */
export function expand(source, readInclude, seen = new Set(), inLazy = false) {
  return source
    .split('\n')
    .map((line) => {
      const [, how, name] = line.match(/^--@(include|lazy) (\S+)$/) ?? [];
      if (!name) return line;
      if (seen.has(name)) return '';
      seen.add(name);
      // Inside of functions that are made late, all are.
      const lazy = how === 'lazy' && !inLazy;
      const body = expand(readInclude(name), readInclude, seen, inLazy || lazy);
      return lazy ? `${BEGIN}${name}\n${body}\n${END}` : body;
    })
    .join('\n');
}

const BEGIN = '--@begin ';
const END = '--@end';

/** Wraps what stands between the marks into a function that makes it once, and calls its functions through that. */
export function makeLate(source) {
  const lines = source.split('\n');
  /** @type {Map<string, string>} function → the group it belongs to */
  const groups = new Map();
  let group = '';
  for (const line of lines) {
    if (line.startsWith(BEGIN)) group = line.slice(BEGIN.length);
    else if (line === END) group = '';
    const name = group && line.match(/^local function (\w+)/)?.[1];
    if (name) groups.set(name, group);
  }
  if (groups.size === 0) return source;
  const calls = new RegExp(`(?<![\\w.:])(?<!function )(${[...groups.keys()].join('|')})\\(`, 'g');
  group = '';
  return lines
    .map((line) => {
      if (line.startsWith(BEGIN)) {
        group = line.slice(BEGIN.length);
        return `local made_${group}\nlocal function late_${group}()\nif not made_${group} then made_${group} = (function()`;
      }
      if (line === END) {
        const names = [...groups].flatMap(([name, owner]) => (owner === group ? [`${name} = ${name}`] : []));
        const end = `return { ${names.join(', ')} }\nend)() end\nreturn made_${group}\nend`;
        group = '';
        return end;
      }
      return line.replace(calls, (call, name) => {
        const owner = groups.get(name);
        return owner === group ? call : `late_${owner}().${name}(`;
      });
    })
    .join('\n');
}

/** Comments and indentation cost bytes on every first call; the sources keep them. */
const strip = (lua) =>
  lua
    .split('\n')
    .map((line) => line.replace(/^\s+/, '').replace(/(^|\s)--(?!\[).*$/, ''))
    .filter((line) => line.trim() !== '')
    .join('\n');

/** Compiles one script: its declared columns and its body with `KEYS[n]` in place. */
export function compile(name, source, readInclude) {
  const header = source.match(/^-- KEYS:[ ]?(.*)$/m)?.[1];
  if (header === undefined) throw new Error(`${name}.lua has no "-- KEYS:" line in its header`);
  for (const part of ['ARGV', 'REPLY'])
    if (!source.includes(`-- ${part}:`))
      throw new Error(`${name}.lua has no "-- ${part}:" line in its header`);
  const keys = header.split(/\s+/).filter(Boolean);
  const used = new Set();
  const body = strip(makeLate(expand(source, readInclude))).replace(/\bK_(\w+)/g, (_, column) => {
    const at = keys.indexOf(column);
    if (at < 0) throw new Error(`${name}.lua uses K_${column}, which its KEYS line does not declare`);
    used.add(column);
    return `KEYS[${at + 1}]`;
  });
  const unused = keys.filter((key) => !used.has(key));
  if (unused.length) throw new Error(`${name}.lua declares but never uses: ${unused.join(', ')}`);
  return { keys, lua: body, sha: createHash('sha1').update(body).digest('hex') };
}

/** The text of the generated module. */
export function generate(dir = folder) {
  const readInclude = (name) => readFileSync(join(dir, 'include', `${name}.lua`), 'utf8');
  const names = readdirSync(dir)
    .filter((file) => file.endsWith('.lua'))
    .map((file) => file.slice(0, -4))
    .sort();
  const entries = names.map((name) => {
    const { keys, lua, sha } = compile(name, readFileSync(join(dir, `${name}.lua`), 'utf8'), readInclude);
    return `  '${name}': {\n    keys: ${JSON.stringify(keys)},\n    sha: '${sha}',\n    lua: ${JSON.stringify(lua)},\n  },`;
  });
  return `// Generated from lib/broker/lua by scripts/lua.mjs. Do not edit.\nexport const SCRIPTS = {\n${entries.join('\n')}\n} as const;\nexport type ScriptName = keyof typeof SCRIPTS;\n`;
}

if (process.argv[1] && import.meta.url === new URL(`file://${process.argv[1]}`).href) {
  const text = generate();
  if (process.argv.includes('--check')) {
    let committed = '';
    try {
      committed = readFileSync(target, 'utf8');
    } catch {
      // A missing module differs from the sources like any other.
    }
    if (committed !== text) {
      console.error(
        'lib/broker/lua.generated.ts is not what lib/broker/lua gives. Run: node scripts/lua.mjs',
      );
      process.exit(1);
    }
  } else writeFileSync(target, text);
}
