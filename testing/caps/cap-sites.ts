/** Finds in the sources the places that cap or trim something: a list in Redis, or memory that lives longer than a call. */

/** A place: the file, and what it does there, without its line. */
export type CapSite = `${string} · ${string}`;

const BOUND = String.raw`(?:(?:[\w.]+\.)?[A-Z][A-Z0-9_]{2,}|\d[\d_]+|most\b|max\b|capacity\b|(?:this\.|limits\.)[\w.]+)`;

/** Each yields the words that name the place. */
const IN_LUA: readonly RegExp[] = [
  /'(XADD)', ([\w.]+)[^)]*?'MAXLEN'/g,
  /'(XTRIM|LTRIM|ZREMRANGEBYRANK|ZREMRANGEBYSCORE|ZREMRANGEBYLEX|ZPOPMIN|ZPOPMAX|SPOP|LPOP|RPOP)', ([\w.]+)/g,
  // A removal of nothing, which scripts begin with, trims nothing.
  /'(XDEL)', ([\w.]+), (?!'0-1')/g,
  // How many there are, compared: Redis refuses or drops those beyond.
  /'(HLEN|ZCARD|XLEN|SCARD|LLEN)', ([\w.]+)\)\)? (?:>=?|<=?|-) /g,
  /(#\w+) (?:-|>=?) (?:tonumber\()?(ARGV\[\d+\]|[A-Z][A-Z0-9_]{2,})/g,
  /([\w.#]+) (?:>=?|<=?) ((?:[\w.]+\.)?[A-Z][A-Z0-9_]*(?:MAX|KEPT|MOST))\b/g,
  /(shares\.refusal)\(([\w.]+)/g,
];
const IN_TYPESCRIPT: readonly RegExp[] = [
  /(\w+)(?::[^=\n;]+)? =[^;]{0,140}?(new LRUCache)/g,
  /\.(xtrim|xdel|ltrim|zremrangeby\w+|zpopm\w+|spop|lpop|rpop)\(([\w.]+)/g,
  new RegExp(String.raw`\.(hlen|zcard|xlen|scard|llen)\(([\w.]+)\)+\s*(?:-|>=?|<=?) ${BOUND}`, 'g'),
  /(keepFairly)\((\w+)/g,
  /(\w+)?\)?\s*\.(slice\(-(?:[A-Za-z][\w.]*|\d{2,})\))/g,
  /([\w.#]+)\.(shift)\(\)/g,
  /([\w.]+)\.(length) = /g,
  new RegExp(String.raw`([\w.#]+)\.(size (?:- [\w.]+ )?(?:>=?|<=?) ${BOUND})`, 'g'),
  new RegExp(String.raw`([\w.#]+)\.(length >= ${BOUND}|length > (?:this\.|limits\.)[\w.]+)`, 'g'),
  /((?:this\.)?\w*[cC]ount|theirs) (>=? (?:[A-Z][A-Z0-9_]{2,}|(?:this\.)?limits\.\w+))/g,
];

const withoutComments = (file: string, text: string): string =>
  file.endsWith('.lua')
    ? text.replaceAll(/--.*$/gm, '')
    : text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|\s)\/\/.*$/gm, '');

/** The places of one file, each once. */
export function capSites(file: string, text: string): CapSite[] {
  const source = withoutComments(file, text);
  // File names are unique: a file that moves to another folder keeps its rows.
  const name = file.split('/').at(-1);
  const sites = (file.endsWith('.lua') ? IN_LUA : IN_TYPESCRIPT).flatMap((pattern) =>
    [...source.matchAll(pattern)].map(
      (found): CapSite => `${name} · ${found.slice(1).filter(Boolean).join(' ')}`,
    ),
  );
  return [...new Set(sites)];
}
