/** Members of one object with the same name: JSON text may hold them, and a parsed value only the last. */
import { JsonScanner, unquoteJson } from '@/lib/format/json-scanner';

/** How many members all objects of a parsed value have. Equal to the number in its text: no name stands twice. */
export function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const values = Object.values(value);
  let count = Array.isArray(value) ? 0 : values.length;
  for (const each of values) if (typeof each === 'object') count += countMembers(each);
  return count;
}

interface Open {
  /** Of an object; null: a list. */
  readonly names: Set<string> | null;
  /** Where the scanner is in it: a name or an index. */
  at: string | number;
}

/** The path of the first name that stands twice in its object, such as `jobs.3.payload.to`. @param text which is JSON */
export function repeatedName(text: string): string {
  const stack: Open[] = [];
  const scan = new JsonScanner(text);
  while (scan.next()) {
    const top = stack.at(-1);
    if (scan.kind === '{') stack.push({ names: new Set(), at: '' });
    else if (scan.kind === '[') stack.push({ names: null, at: 0 });
    else if (scan.kind === '}' || scan.kind === ']') stack.pop();
    else if (scan.kind === ',' && typeof top?.at === 'number') top.at += 1;
    else if (scan.kind === 'string' && top?.names && scan.isName) {
      top.at = unquoteJson(scan.token);
      if (top.names.has(top.at)) return stack.map(({ at }) => at).join('.');
      top.names.add(top.at);
    }
  }
  return 'a name';
}
