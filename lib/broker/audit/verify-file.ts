/** Checks an exported file of the audit log (NDJSON), without Redis. */
import { parseJsonObject } from '../redis/parse-json';
import { createHashChain, readEntry } from './hash-chain';
import type { ChainEnd } from './log-head';
import type { StoredEntry } from './read-entries';
import { type ChainVerdict, verifyChain } from './verify-chain';

interface About {
  readonly whole: boolean;
  /** Made for a user who may not see all that an entry says. */
  readonly cut: boolean;
  readonly base: ChainEnd;
  readonly head: ChainEnd;
}

/**
 * A whole file must begin and end where its first line says. In a filtered file, or one without its first line, each entry is checked
 * alone and against its neighbours.
 */
export async function verifyFile(
  keys: readonly string[],
  lines: AsyncIterable<string>,
): Promise<ChainVerdict & { readonly notes: readonly string[] }> {
  const iterator = lines[Symbol.asyncIterator]();
  const first = await iterator.next();
  const about = first.done ? null : readAbout(first.value);
  let end = null as number | null;
  let count = 0;
  async function* entries(): AsyncGenerator<StoredEntry, void> {
    let line = about ? await iterator.next() : first;
    for (; !line.done; line = await iterator.next()) {
      const said = readEnd(line.value);
      end = said ?? end;
      if (said !== null || line.value.trim() === '') continue;
      count += 1;
      yield { n: numberOf(line.value), text: line.value };
    }
  }
  const whole = about?.whole ? about : null;
  const verdict = await verifyChain(createHashChain(keys), entries(), {
    begins: whole?.base ?? null,
    base: whole?.base.n ?? null,
    ends: whole?.head ?? null,
    whole: whole !== null,
  });
  const notes: string[] = [];
  if (!about)
    notes.push(
      'The file has no first line that says what it is about: entries are checked, not whether all are there.',
    );
  else if (!whole)
    notes.push('The file holds a part of the log: entries are checked, not whether all are there.');
  if (about?.cut)
    notes.push(
      'The file was made for a user who may see some queues only: where an entry named others, that was left out, and its hash does not fit.',
    );
  if (about && end === null)
    verdict.problems.push({
      n: verdict.last ?? 0,
      sentence: 'The file has no last line: it broke off, or its end was cut.',
    });
  if (end !== null && end !== count)
    verdict.problems.push({
      n: verdict.last ?? 0,
      sentence: `The last line says ${end} entries, but the file has ${count}.`,
    });
  return { ...verdict, ok: verdict.problems.length === 0, notes };
}

/** Where the entry says it stands: a file has no other places. */
function numberOf(line: string): number {
  const entry = readEntry(line);
  return entry?.n ?? Number(/^\{"n":(\d{1,15}),/.exec(line)?.[1] ?? Number.NaN);
}

function readAbout(line: string): About | null {
  const said = parseJsonObject(line);
  if (said?.redriveAudit !== 1) return null;
  const [base, head] = [endOf(said.base), endOf(said.head)];
  return base && head ? { whole: said.whole === true, cut: said.cut === true, base, head } : null;
}

function readEnd(line: string): number | null {
  const said = parseJsonObject(line);
  return said?.end === true && typeof said.entries === 'number' ? said.entries : null;
}

function endOf(value: unknown): ChainEnd | null {
  const { n, hash } = (value ?? {}) as { n?: unknown; hash?: unknown };
  return typeof n === 'number' && typeof hash === 'string' ? { n, hash } : null;
}
