/** Reads the imports out of a source file without compiling it: comments and strings are told apart, nothing more. */

/**
 * One pass over the text, each alternative one token, so a quote in a comment or an import in a string is never taken for
 * code. A slash starts a regular expression only where a value is expected.
 */
const TOKENS = new RegExp(
  [
    /\/\*[\s\S]*?\*\/|\/\/[^\n]*/,
    /(?<=(?:[=(,:;!&|?{}[\n]|=>|return)\s*)\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/,
    /`(?:\\[\s\S]|[^\\`])*`/,
    /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
);

/** A string is replaced by §n§, a reference into the list of strings, and keeps its line breaks. */
const IMPORTS = [
  // import x, { y } from '…' · export * from '…' · import type … from '…'
  /\b(?:import|export)\b(?<clause>[\w\s{},*$]*?)\bfrom\s*§(?<ref>\d+)§/g,
  // import '…'
  /\bimport\s*§(?<ref>\d+)§/g,
  // import('…') · require('…')
  /\b(?:import|require)\s*\(\s*§(?<ref>\d+)§/g,
];

/** `import type …`, or braces with nothing but types in them. @param {string} [clause] */
function isTypeOnly(clause = '') {
  if (/^\s*type\b(?!\s*(?:,|$))/.test(clause)) return true;
  const names = /^\s*\{([^}]*)\}\s*$/
    .exec(clause)?.[1]
    ?.split(',')
    .filter((name) => name.trim());
  return Boolean(names?.length) && names.every((name) => /^\s*type\s+\w/.test(name));
}

/** @typedef {{specifier: string, line: number, typeOnly: boolean}} Import */

/** @param {string} source @returns {Import[]} in the order of the file */
export function scanImports(source) {
  /** @type {string[]} */
  const strings = [];
  const code = source.replace(TOKENS, (token) => {
    const breaks = token.replace(/[^\n]/g, '');
    if (token.startsWith('/')) return ` ${breaks}`;
    strings.push(token.slice(1, -1));
    return `§${strings.length - 1}§${breaks}`;
  });

  /** @type {(Import & {at: number})[]} */
  const found = [];
  for (const pattern of IMPORTS) {
    for (const match of code.matchAll(pattern)) {
      const at = match.index + match[0].length;
      found.push({
        specifier: strings[Number(match.groups?.ref)] ?? '',
        line: code.slice(0, at).split('\n').length,
        typeOnly: isTypeOnly(match.groups?.clause),
        at,
      });
    }
  }
  return found.sort((a, b) => a.at - b.at).map(({ at: _, ...rest }) => rest);
}
