/** Script replies are parsed, never cast: a reply that does not fit its contract is a defect and says so. */

export function replyNumbers(reply: unknown, script: string): number[] {
  if (!Array.isArray(reply) || !reply.every((item) => typeof item === 'number'))
    throw new Error(`${script}: expected numbers, got ${JSON.stringify(reply)?.slice(0, 200)}`);
  return reply;
}

export const replyNumber = (reply: unknown, script: string): number => replyNumbers([reply], script)[0] ?? 0;

export function replyList(reply: unknown, script: string): unknown[] {
  if (!Array.isArray(reply))
    throw new Error(`${script}: expected a list, got ${JSON.stringify(reply)?.slice(0, 200)}`);
  return reply;
}

export function replyText(item: unknown): string {
  if (typeof item === 'string') return item;
  if (Buffer.isBuffer(item)) return item.toString('utf8');
  if (typeof item === 'number') return String(item);
  throw new Error(`expected text in a script reply, got ${typeof item}`);
}

/** Maps each code to its word. A code outside the table is a defect, not a new outcome. */
export function replyOutcomes<T extends string>(
  reply: unknown,
  script: string,
  table: Readonly<Record<number, T>>,
): T[] {
  return replyNumbers(reply, script).map((code) => {
    const word = table[code];
    if (word === undefined) throw new Error(`${script}: unknown reply code ${code}`);
    return word;
  });
}

/** `[field, value, …]` as a map; a Map, so that a field named `__proto__` is only a field. */
export function replyPairs(reply: unknown, script: string): Map<string, string> {
  const items = replyList(reply, script);
  const map = new Map<string, string>();
  for (let i = 0; i + 1 < items.length; i += 2) map.set(replyText(items[i]), replyText(items[i + 1]));
  return map;
}
