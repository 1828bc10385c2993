/** Checks an exported file of the audit log (NDJSON), without Redis. */
import { createChain, readEntry } from './chain';
import type { StoredEntry } from './entries';
import type { End } from './head';
import { type Verdict, verifyChain } from './verify';

interface About {
  readonly whole: boolean;
  /** Made for somebody who may not see all that an entry says. */
  readonly cut: boolean;
  readonly base: End;
  readonly head: End;
}

/**
 * A whole file is held to where it says that the log begins and ends; of one that was filtered, or whose first line is gone, each entry
 * is checked by itself, and with its neighbours where they are there.
 */
export async function verifyAuditFile(
  keys: readonly string[],
  lines: AsyncIterable<string>,
): Promise<Verdict & { readonly notes: readonly string[] }> {
  const seen: { about: About | null; end: number | null; entries: number } = {
    about: null,
    end: null,
    entries: 0,
  };
  const iterator = lines[Symbol.asyncIterator]();
  const first = await iterator.next();
  seen.about = first.done ? null : readAbout(first.value);
  async function* entries(): AsyncGenerator<StoredEntry, void> {
    let line = seen.about ? await iterator.next() : first;
    for (; !line.done; line = await iterator.next()) {
      const end = readEnd(line.value);
      if (end !== null) {
        seen.end = end;
        continue;
      }
      if (line.value.trim() === '') continue;
      seen.entries += 1;
      yield { n: numberOf(line.value), text: line.value };
    }
  }
  const whole = seen.about?.whole === true;
  const verdict = await verifyChain(createChain(keys), entries(), {
    begins: whole ? (seen.about?.base ?? null) : null,
    base: whole ? (seen.about?.base.n ?? null) : null,
    ends: whole ? (seen.about?.head ?? null) : null,
    whole,
  });
  const notes: string[] = [];
  if (!seen.about)
    notes.push(
      'The file has no first line that says what it is about: entries are checked, not whether all are there.',
    );
  else if (!whole)
    notes.push('The file holds a part of the log: entries are checked, not whether all are there.');
  if (seen.about?.cut)
    notes.push(
      'The file was made for somebody who may see some queues only: where an entry named others, that was left out, and its hash does not fit.',
    );
  if (seen.about && seen.end === null)
    verdict.problems.push({
      n: verdict.last ?? 0,
      sentence: 'The file has no last line: it broke off, or its end was cut.',
    });
  if (seen.end !== null && seen.end !== seen.entries)
    verdict.problems.push({
      n: verdict.last ?? 0,
      sentence: `The last line says ${seen.end} entries, but the file has ${seen.entries}.`,
    });
  return { ...verdict, ok: verdict.problems.length === 0, notes };
}

/** Where the entry says it stands: a file has no other places. */
function numberOf(line: string): number {
  const entry = readEntry(line);
  return entry?.n ?? Number(/^\{"n":(\d{1,15}),/.exec(line)?.[1] ?? Number.NaN);
}

function readAbout(line: string): About | null {
  const said = readJson(line);
  if (said?.redriveAudit !== 1) return null;
  const [base, head] = [endOf(said.base), endOf(said.head)];
  return base && head ? { whole: said.whole === true, cut: said.cut === true, base, head } : null;
}

function readEnd(line: string): number | null {
  const said = readJson(line);
  return said?.end === true && typeof said.entries === 'number' ? said.entries : null;
}

function endOf(value: unknown): End | null {
  if (typeof value !== 'object' || value === null) return null;
  const { n, hash } = value as { n?: unknown; hash?: unknown };
  return typeof n === 'number' && typeof hash === 'string' ? { n, hash } : null;
}

function readJson(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
