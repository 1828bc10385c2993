/**
 * Bundles lib/broker/lua into lib/broker/lua.generated.ts, so that Next, the worker, the command line and the tests all run the
 * same bytes without reading files at run time. scripts/ensure-lua.mjs writes it when a source has changed.
 *
 * A file with a `-- KEYS:` header is a script, named for its file. Any other file is a module and ends with `return { … }`.
 * - `local x = require('folder.file')` at the top of a file puts that module into the bundle, before its users. Its exports become
 *   locals, and functions that nothing calls are left out.
 * - The same line inside a function makes the module when it is first needed. Redis runs a script from its first line on every call,
 *   so closures of rare paths would cost every call.
 * - `require('keys')` has the names of the header: `keys.ready` becomes `KEYS[n]`.
 * - `queue.commit(reply)` calls the `commit` of every module in the bundle, the last one first, and returns the reply.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { checkReturns, parse, REQUIRE, stripComments, TOKEN, tokensOf } from './lib/lua-source.mjs';

const folder = join(import.meta.dirname, '../lib/broker/lua');

/** Follows the names from the script on: which exports, statements and modules are used. */
function findUsed(entry, load) {
  const keep = (module, item) => {
    if (module.kept.has(item)) return;
    module.kept.add(item);
    reach(module, item.text);
  };
  const use = (module, member, user) => {
    if (!module.exports?.has(member))
      throw new Error(`${user.id} uses ${module.id}.${member}, which ${module.id} does not export`);
    if (module.used.has(member)) return;
    const isNew = module.used.size === 0;
    module.used.add(member);
    if (isNew) {
      if (module.exports.has('commit')) use(module, 'commit', user);
      for (const item of module.items) if (!item.name) keep(module, item);
    }
    reach(module, module.exports.get(member));
  };
  const reach = (module, text) => {
    for (const token of tokensOf(text)) {
      const [name, member] = token.split('.');
      const target = module.required.get(name);
      if (target && member && target !== 'keys' && token !== 'queue.commit') {
        module.needs.add(target);
        use(load(target), member, module);
      }
      for (const item of module.items) if (item.name === name) keep(module, item);
    }
  };
  for (const item of entry.items) if (!item.name) keep(entry, item);
}

/** Modules with what they need, dependencies first. `isTop`: only what is required at the top of files. */
function withDependencies(starts, load, isTop) {
  const order = [];
  const visit = (id, path, fromTop) => {
    if (path.includes(id)) {
      if (fromTop)
        throw new Error(`${id} requires itself: ${[...path.slice(path.indexOf(id)), id].join(' → ')}`);
      return;
    }
    if (order.includes(id)) return;
    const { needs, top } = load(id);
    for (const need of needs) if (top.has(need)) visit(need, [...path, id], fromTop);
    for (const need of needs) if (!top.has(need) && !isTop) visit(need, [...path, id], false);
    order.push(id);
  };
  for (const id of starts) visit(id, [], true);
  return order;
}

/**
 * @param {string} name of the script
 * @param {string} source
 * @param {(id: string) => string} readModule
 * @param {{mayLeaveKeys?: boolean}} [options] mayLeaveKeys: of a script that a test has damaged
 */
export function compile(name, source, readModule, { mayLeaveKeys = false } = {}) {
  const fail = (message) => {
    throw new Error(`${name}.lua ${message}`);
  };
  for (const part of ['KEYS', 'ARGV', 'REPLY'])
    if (!new RegExp(`^-- ${part}:`, 'm').test(source)) fail(`has no "-- ${part}:" line in its header`);
  const keys = source
    .match(/^-- KEYS:[ ]?(.*)$/m)[1]
    .split(/\s+/)
    .filter(Boolean);

  const modules = new Map();
  const load = (id) => {
    if (!modules.has(id)) modules.set(id, parse(id, readModule(id)));
    return modules.get(id);
  };
  const entry = parse(name, source);
  findUsed(entry, load);

  // Needed by every call, or late: by a function that not every call runs.
  const order = withDependencies(entry.needs, load, false);
  const atTop = new Set(
    withDependencies(
      [...entry.needs].filter((id) => entry.top.has(id)),
      load,
      true,
    ),
  );
  const late = order.filter((id) => !atTop.has(id));
  const roots = late.filter((id) =>
    [entry, ...modules.values()].some(({ needs, top }) => needs.has(id) && !top.has(id)),
  );
  const reached = new Map(roots.map((id) => [id, withDependencies([id], load, true)]));
  const isShared = (id) => [...reached.values()].filter((ids) => ids.includes(id)).length > 1;
  const shared = late.filter(isShared);

  const usedKeys = new Set();
  /** The local that holds an export; of one that is passed on, that of its own module. */
  const local = (id, member) => {
    const module = load(id);
    const [alias, passed] = module.exports.get(member).split('.');
    return passed ? local(module.required.get(alias), passed) : `${module.prefix}_${member}`;
  };
  /** A text with its requires resolved. `here`: modules whose exports are locals at that place. */
  const resolve = (module, text, here) =>
    text
      .replace(new RegExp(REQUIRE, 'gm'), (_, indent, alias, id) =>
        id === 'keys' || here.has(id) || !modules.get(id)?.used.size
          ? ''
          : `${indent}local ${alias} = __late('${id}')`,
      )
      .replace(TOKEN, (token) => {
        const [alias, member, ...rest] = token.split('.');
        const id = module.required.get(alias);
        if (!member || !id) return token;
        if (token === 'queue.commit') return '__commit';
        if (id !== 'keys') return here.has(id) ? [local(id, member), ...rest].join('.') : token;
        if (!keys.includes(member)) fail(`uses keys.${member}, which its KEYS line does not declare`);
        usedKeys.add(member);
        return `KEYS[${keys.indexOf(member) + 1}]`;
      });
  const body = (module, here) =>
    module.items.filter((item) => module.kept.has(item)).map((item) => resolve(module, item.text, here));
  const block = (id, here) => {
    const module = load(id);
    const own = [...module.used].filter((member) => !module.exports.get(member).includes('.'));
    if (own.length === 0) return [];
    const names = own.map((member) => local(id, member)).join(', ');
    const values = own.map((member) => module.exports.get(member)).join(', ');
    return [`local ${names}`, 'do', ...body(module, here), `${names} = ${values}`, 'end'];
  };
  const commitsOf = (ids) => ids.filter((id) => load(id).used.has('commit')).map((id) => local(id, 'commit'));

  const lines = late.length > 0 ? ['local __late'] : [];
  for (const id of order.filter((one) => atTop.has(one))) lines.push(...block(id, atTop));
  const hasLateCommits = commitsOf(late).length > 0;
  if (late.length > 0) {
    const here = new Set([...atTop, ...shared]);
    const loader = (root) => {
      const ids = late.filter((id) => reached.get(root).includes(id) && !isShared(id));
      const inLoader = new Set([...here, ...ids]);
      const exported = [...load(root).used].filter((member) => member !== 'commit');
      return [
        `['${root}'] = function()`,
        ...ids.flatMap((id) => block(id, inLoader)),
        ...commitsOf(ids).map((commit) => `__commits[#__commits + 1] = ${commit}`),
        `return { ${exported.map((member) => `${member} = ${local(root, member)}`).join(', ')} }`,
        'end,',
      ];
    };
    lines.push(
      `local __loaders, __loaded${hasLateCommits ? ', __commits' : ''}`,
      'function __late(id)',
      'if not __loaders then',
      ...shared.flatMap((id) => block(id, here)),
      ...(hasLateCommits ? [`__commits = { ${commitsOf(shared).join(', ')} }`] : []),
      '__loaded, __loaders = {}, {',
      ...roots.flatMap(loader),
      '}',
      'end',
      'local module = __loaded[id]',
      'if not module then',
      'module = __loaders[id]()',
      '__loaded[id] = module',
      'end',
      'return module',
      'end',
    );
  }
  const commits = commitsOf(order.filter((id) => atTop.has(id))).reverse();
  if (source.includes('queue.commit'))
    lines.push(
      'local function __commit(reply)',
      ...(hasLateCommits ? ['while __commits and #__commits > 0 do table.remove(__commits)() end'] : []),
      ...commits.map((commit) => `${commit}()`),
      'return reply',
      'end',
    );
  lines.push(...body(entry, atTop));
  if (hasLateCommits || commits.length > 0) checkReturns(stripComments(source), fail);

  const lua = lines
    .flatMap((text) => text.split('\n'))
    .map((line) => line.trim())
    .filter(Boolean)
    .join('\n');
  const unused = keys.filter((key) => !usedKeys.has(key));
  if (unused.length && !mayLeaveKeys) fail(`declares but never uses: ${unused.join(', ')}`);
  return { keys, lua, sha: createHash('sha1').update(lua).digest('hex') };
}

export const luaFiles = (dir = folder) =>
  readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.lua'))
    .sort();

/** The scripts below a folder, by name. */
export function sources(dir = folder) {
  const scripts = new Map();
  for (const file of luaFiles(dir)) {
    const source = readFileSync(join(dir, file), 'utf8');
    if (!/^-- KEYS:/m.test(source)) continue;
    const name = basename(file, '.lua');
    if (scripts.has(name)) throw new Error(`two scripts are called ${name}`);
    scripts.set(name, { file, source });
  }
  return new Map([...scripts].sort(([a], [b]) => (a < b ? -1 : 1)));
}
export const readModule = (id, dir = folder) =>
  readFileSync(join(dir, `${id.replaceAll('.', '/')}.lua`), 'utf8');

/** The text of the generated module. */
export function generate(dir = folder) {
  const entries = [...sources(dir)].map(([name, { source }]) => {
    const { keys, lua, sha } = compile(name, source, (id) => readModule(id, dir));
    return `  '${name}': {\n    keys: ${JSON.stringify(keys)},\n    sha: '${sha}',\n    lua: ${JSON.stringify(lua)},\n  },`;
  });
  // The names by hand: the text of every script would stand in the declarations of the package.
  const names = [...sources(dir)].map(([name]) => `'${name}'`).join(' | ');
  return `// Generated from lib/broker/lua by scripts/lua.mjs. Do not edit.\nexport type ScriptName = ${names};\nexport const SCRIPTS = {\n${entries.join('\n')}\n} as const satisfies Record<ScriptName, unknown>;\n`;
}
