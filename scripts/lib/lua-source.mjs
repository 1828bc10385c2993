/** Takes Lua files apart for the bundler (scripts/lua.mjs), and checks their names and returns. */

export const TOKEN =
  /--[^\n]*|'(?:\\[\s\S]|[^'\\\n])*'|"(?:\\[\s\S]|[^"\\\n])*"|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*|\d[\w.]*|\s+|./g;
export const REQUIRE = /^(\s*)local (\w+) = require\('([\w.]+)'\)$/;
const OPENERS = ['function', 'do', 'if', 'repeat', '(', '{', '['];
const CLOSERS = ['end', 'until', ')', '}', ']'];
const LANGUAGE =
  'and break do else elseif end false for function if in local nil not or repeat return then true until while ARGV KEYS ipairs math next pairs redis require select setmetatable rawget string table tonumber tostring type unpack'.split(
    ' ',
  );

export const stripComments = (lua) => lua.replace(TOKEN, (token) => (token.startsWith('--') ? '' : token));
export const tokensOf = (lua) => (lua.match(TOKEN) ?? []).filter((token) => token.trim() !== '');

/** Splits a source without comments into its top-level statements, each of whole lines. */
export function statements(lua) {
  const found = [];
  let depth = 0;
  let lines = [];
  for (const line of lua.split('\n')) {
    if (line.trim() === '') continue;
    lines.push(line);
    for (const token of tokensOf(line)) depth += OPENERS.includes(token) - CLOSERS.includes(token);
    if (depth > 0) continue;
    found.push(lines.join('\n'));
    lines = [];
  }
  return found;
}

/** Every name is declared in its file, and none takes that of a required module. */
function checkNames(id, lua, required) {
  const declared = new Set(LANGUAGE);
  const own = lua.replace(/^\s*local \w+ = require\(.*$/gm, '');
  for (const pattern of [
    /\blocal (?:function )?([\w, ]+)/g,
    /\bfunction\b[^(]*\(([^)]*)\)/g,
    /\bfor ([\w, ]+?) (?:=|in) /g,
  ])
    for (const [, names] of own.matchAll(pattern))
      for (const name of names.match(/\w+/g) ?? []) {
        if (required.has(name)) throw new Error(`${id}: ${name} is a module and a variable`);
        declared.add(name);
      }
  const tokens = tokensOf(own);
  tokens.forEach((token, i) => {
    const [name = '', member] = token.split('.');
    const isAssigned = tokens[i + 1] === '=' && tokens[i + 2] !== '=';
    if (required.has(name) && member && isAssigned && !token.includes('.', name.length + 1))
      throw new Error(`${id}: assigns to ${token}, which stays as it was in its module`);
    const isField = tokens[i - 1] === '.' || (isAssigned && ['{', ','].includes(tokens[i - 1]));
    if (/^[A-Za-z_]/.test(name) && !isField && !declared.has(name) && !required.has(name))
      throw new Error(`${id}: ${name} is declared nowhere`);
  });
}

/** A file taken apart: its statements, the modules behind its names, and its exports. */
export function parse(id, source) {
  const lua = stripComments(source);
  const isScript = /^-- KEYS:/m.test(source);
  const module = { id, prefix: id.replace(/\W/g, '_'), required: new Map(), top: new Set(), items: [] };
  for (const line of lua.split('\n').filter((text) => /\brequire\b/.test(text))) {
    const [, indent, alias, target] = line.match(REQUIRE) ?? [];
    if (!alias)
      throw new Error(`${id} has a require that is not "local name = require('module')": ${line.trim()}`);
    if ((module.required.get(alias) ?? target) !== target)
      throw new Error(`${id} calls two modules ${alias}`);
    module.required.set(alias, target);
    if (indent === '') module.top.add(target);
  }
  checkNames(id, lua, module.required);
  for (const text of statements(lua)) {
    if (text.startsWith('return {') && !isScript)
      module.exports = new Map([...text.matchAll(/(\w+) = ([\w.]+)/g)].map(([, key, value]) => [key, value]));
    else if (!REQUIRE.test(text))
      // A function or a constant: left out when nothing uses it.
      module.items.push({
        text,
        name: text
          .match(/^local (?:function (\w+)|(\w+) = [^(]*$)/)
          ?.slice(1)
          .join(''),
      });
  }
  return { ...module, used: new Set(), kept: new Set(), needs: new Set() };
}

/** A script with something to commit returns through `queue.commit` everywhere, or its counts would be lost. */
export function checkReturns(source, fail) {
  const open = [];
  const tokens = tokensOf(source);
  tokens.forEach((token, i) => {
    if (['function', 'do', 'if', 'repeat'].includes(token)) open.push(token);
    else if (token === 'end' || token === 'until') open.pop();
    else if (token === 'return' && !open.includes('function') && tokens[i + 1] !== 'queue.commit')
      fail('must return through queue.commit(…) everywhere');
  });
}
