/**
 * The chain of hashes that holds the audit log together: each entry is hashed with the hash of the one before it, so that an entry
 * cannot be changed, removed, inserted or moved without all hashes behind it being wrong. With a key (HMAC) nobody without it can
 * make them right again.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { type AuditEntry, auditEntrySchema } from '@/lib/contract/audit';

/** What comes before the first entry. */
export const BEGINNING = '0'.repeat(64);
const KEYED = 'hmac-';
const KEY_NAME_CHARS = 16;

export type Unhashed = Omit<AuditEntry, 'hash'>;
export const isKeyed = (hash: string): boolean => hash.startsWith(KEYED);

/** `no-key`: it is keyed, and no key was given. */
export type Fit = 'fits' | 'differs' | 'no-key';

export interface Chain {
  /** Of the key in use, for telling keys apart; '' without one. It says nothing of the key itself. */
  readonly keyName: string;
  knows(keyName: string): boolean;
  hash(entry: Unhashed): string;
  fit(entry: Unhashed, hash: string): Fit;
}

/** The first key hashes; the others are older ones, by which older entries can still be checked. */
export function createChain(keys: readonly string[] = []): Chain {
  const [key] = keys;
  const names = keys.map(nameOf);
  return {
    keyName: names[0] ?? '',
    knows: (name) => names.includes(name),
    hash: (entry) => hashOf(entry, key),
    fit(entry, hash) {
      if (!isKeyed(hash)) return same(hash, hashOf(entry, undefined)) ? 'fits' : 'differs';
      if (keys.length === 0) return 'no-key';
      return keys.some((one) => same(hash, hashOf(entry, one))) ? 'fits' : 'differs';
    },
  };
}

const nameOf = (key: string): string =>
  createHmac('sha256', key).update('the name of this key').digest('hex').slice(0, KEY_NAME_CHARS);

function hashOf(entry: Unhashed, key: string | undefined): string {
  const text = entry.prev + canonical(entry);
  return key === undefined
    ? createHash('sha256').update(text).digest('hex')
    : `${KEYED}${createHmac('sha256', key).update(text).digest('hex')}`;
}

function same(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/**
 * One text for one entry: its fields in this order, no spaces, and nothing but ASCII. So no letter of it can act on the terminal or the
 * log file it is shown in, whatever somebody wrote into a reason.
 */
function canonical(entry: Unhashed): string {
  const ordered: Unhashed = {
    n: entry.n,
    at: entry.at,
    actor: entry.actor,
    actorId: entry.actorId,
    way: entry.way,
    via: entry.via,
    address: entry.address,
    action: entry.action,
    result: entry.result,
    code: entry.code,
    object: entry.object && { kind: entry.object.kind, id: entry.object.id },
    queue: entry.queue,
    shard: entry.shard,
    filter: entry.filter,
    reason: entry.reason,
    before: entry.before,
    after: entry.after,
    count: entry.count,
    requestId: entry.requestId,
    source: entry.source,
    prev: entry.prev,
  };
  return JSON.stringify(ordered).replace(
    /[\u007f-\uffff]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** An entry as it is stored and exported. */
export const entryText = ({ hash, ...entry }: AuditEntry): string =>
  `${canonical(entry).slice(0, -1)},"hash":${JSON.stringify(hash)}}`;

/** Null when the text is not one that `entryText` writes, to the letter. */
export function readEntry(text: string): AuditEntry | null {
  try {
    const parsed = auditEntrySchema.safeParse(JSON.parse(text));
    return parsed.success && entryText(parsed.data) === text ? parsed.data : null;
  } catch {
    return null;
  }
}

/** For looking through many: whoever shows one asks `readEntry`, too. */
export function parseEntry(text: string): AuditEntry | null {
  try {
    return auditEntrySchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
