/** Whether the audit log is as it was written: walks the chain of hashes and says, entry by entry, where it does not hold. */
import type { AuditCheck, AuditEventView } from '@/lib/contract/audit/audit-schemas';
import { parseJsonObject } from '../redis/parse-json';
import { type HashChain, isKeyed, readEntry } from './hash-chain';
import type { ChainEnd } from './log-head';
import type { StoredEntry } from './read-entries';

/** More would say the same again. */
const PROBLEMS_MAX = 100;

export interface ExpectedChain {
  /** The entry before the first that is checked; null, or its hash: not known, as of a file that is a part of the log. */
  readonly begins: { readonly n: number; readonly hash: string | null } | null;
  /** The last trimmed entry; null: the checked part does not begin where the log does. */
  readonly base: number | null;
  /** The newest entry; null: not known. */
  readonly ends: ChainEnd | null;
  /** Whether every entry in between must be there. */
  readonly whole: boolean;
}

export type ChainVerdict = Pick<
  AuditCheck,
  'ok' | 'checked' | 'first' | 'last' | 'head' | 'keyed' | 'problems'
>;

/** `lines`: oldest first. */
export async function verifyChain(
  chain: HashChain,
  lines: AsyncIterable<StoredEntry> | Iterable<StoredEntry>,
  expected: ExpectedChain,
): Promise<ChainVerdict> {
  const walk = new Walk(chain, expected);
  for await (const line of lines) walk.take(line);
  return walk.end();
}

class Walk {
  private checked = 0;
  private first: number | null = null;
  /** The entry before, by its own number; `hash` null: unreadable, so the next one cannot be compared. */
  private before: { n: number; hash: string | null } | null;
  private keyed = false;
  private trimmedTo: number | null = null;
  private readonly problems: AuditCheck['problems'] = [];

  constructor(
    private readonly chain: HashChain,
    private readonly expected: ExpectedChain,
  ) {
    this.before = expected.begins;
  }

  take({ n, text }: StoredEntry): void {
    this.checked += 1;
    this.first ??= Number.isFinite(n) ? n : null;
    if (!this.follows(n)) return;
    const entry = readEntry(text);
    if (entry === null) {
      this.problem(n, `Entry ${n} is not as it was written: its text was changed.`);
      this.before = { n, hash: null };
      return;
    }
    if (entry.n !== n)
      this.problem(
        n,
        `What stands in the place of entry ${n} is entry ${entry.n}: it was moved or put there.`,
      );
    this.checkHashes(n, entry);
    if (entry.action === 'audit.trim') this.trimmedTo = trimmedTo(entry) ?? this.trimmedTo;
    this.before = { n, hash: entry.hash };
  }

  /** Whether it comes right behind the entry before. */
  private follows(n: number): boolean {
    if (!Number.isFinite(n)) {
      this.problem(0, 'There is an entry with an id that no entry of the log has: it was put there.');
      return false;
    }
    const next = this.before === null ? n : this.before.n + 1;
    if (n < next) {
      this.problem(
        n,
        `Entry ${n} comes behind entry ${next - 1}: entries were reordered, or one is there twice.`,
      );
      return false;
    }
    if (n > next) {
      if (this.expected.whole)
        this.problem(
          next,
          `${range(next, n - 1)} missing: removed after ${n - next > 1 ? 'they were' : 'it was'} written.`,
        );
      this.before = { n: n - 1, hash: null };
    }
    return true;
  }

  private checkHashes(n: number, entry: AuditEventView): void {
    const { hash, ...unhashed } = entry;
    const fit = this.chain.fit(unhashed, hash);
    if (fit === 'differs')
      this.problem(n, `Entry ${n} was changed after it was written: its hash does not fit what it says.`);
    if (fit === 'no-key')
      this.problem(
        n,
        `Entry ${n} is keyed: give the key (REDRIVE_AUDIT_KEY) to check it and those behind it.`,
      );
    if (this.before !== null && this.before.hash !== null && entry.prev !== this.before.hash)
      this.problem(
        n,
        `Entry ${n} does not follow the entry before it: one of the two was replaced, or something between them was removed.`,
      );
    if (this.keyed && !isKeyed(hash))
      this.problem(
        n,
        `Entry ${n} is not keyed, though entries before it are: it was written without the key.`,
      );
    this.keyed ||= isKeyed(hash);
  }

  end(): ChainVerdict {
    this.checkEnds();
    const { first, before } = this;
    return {
      ok: this.problems.length === 0,
      checked: this.checked,
      first,
      last: this.checked === 0 ? null : (before?.n ?? null),
      head: before?.hash ?? this.expected.ends?.hash ?? '',
      keyed: this.keyed,
      problems: this.problems,
    };
  }

  private checkEnds(): void {
    const { base, ends } = this.expected;
    // The log has an entry for each trim.
    if (base !== null && base !== 0 && this.trimmedTo !== base)
      this.problem(
        base,
        `The log begins behind entry ${base}, and no entry says that those before it were let go of for their age: its beginning was cut off.`,
      );
    if (ends === null) return;
    const last = this.before?.n ?? 0;
    if (this.expected.whole && last < ends.n)
      this.problem(
        last + 1,
        `${range(last + 1, ends.n)} missing at the end: the newest entries were cut off.`,
      );
    if (last > ends.n)
      this.problem(
        last,
        `The head of the log says that entry ${ends.n} is the newest, but there are entries up to ${last}.`,
      );
    if (last === ends.n && this.before?.hash && this.before.hash !== ends.hash)
      this.problem(
        last,
        `The head of the log has another hash than entry ${last}: one of the two was changed.`,
      );
    if (this.chain.keyName !== '' && this.checked > 0 && !this.keyed)
      this.problem(
        last,
        'A key was given, but no entry is keyed: the log was written without it, or written anew.',
      );
  }

  private problem(n: number, sentence: string): void {
    if (this.problems.length < PROBLEMS_MAX) this.problems.push({ n, sentence });
  }
}

const range = (from: number, to: number): string =>
  from === to ? `Entry ${from} is` : `Entries ${from} to ${to} are`;

/** The last entry that a trim removed. */
function trimmedTo({ after }: AuditEventView): number | null {
  const upTo = parseJsonObject(after)?.upTo;
  return typeof upTo === 'number' ? upTo : null;
}
