/** Script replies are parsed, never cast: a reply that does not fit its contract is a defect and says so. */

export function numbers(reply: unknown, script: string): number[] {
  if (!Array.isArray(reply) || !reply.every((item) => typeof item === 'number'))
    throw new Error(`${script}: expected numbers, got ${JSON.stringify(reply)?.slice(0, 200)}`);
  return reply;
}

export function list(reply: unknown, script: string): unknown[] {
  if (!Array.isArray(reply))
    throw new Error(`${script}: expected a list, got ${JSON.stringify(reply)?.slice(0, 200)}`);
  return reply;
}

export function text(item: unknown): string {
  if (typeof item === 'string') return item;
  if (Buffer.isBuffer(item)) return item.toString('utf8');
  if (typeof item === 'number') return String(item);
  throw new Error(`expected text in a script reply, got ${typeof item}`);
}

/** Maps each code to its word. A code outside the table is a defect, not a new outcome. */
export function outcomes<T extends string>(
  reply: unknown,
  script: string,
  table: Readonly<Record<number, T>>,
): T[] {
  return numbers(reply, script).map((code) => {
    const word = table[code];
    if (word === undefined) throw new Error(`${script}: unknown reply code ${code}`);
    return word;
  });
}

/** `[field, value, …]` as a map; a Map, so that a field named `__proto__` is only a field. */
export function pairs(reply: unknown, script: string): Map<string, string> {
  const items = list(reply, script);
  const map = new Map<string, string>();
  for (let i = 0; i + 1 < items.length; i += 2) map.set(text(items[i]), text(items[i + 1]));
  return map;
}
