/**
 * The chain of hashes of the audit log: each entry is hashed together with the hash before it, so any change breaks all later hashes.
 * With a key (HMAC), only its owners can make them right again.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { type AuditEventView, auditEventSchema } from '@/lib/contract/audit/audit-schemas';
import { parseJsonRow } from '../redis/parse-json';

/** What comes before the first entry. */
export const GENESIS_HASH = '0'.repeat(64);
const KEYED = 'hmac-';
const KEY_NAME_CHARS = 16;

export type Unhashed = Omit<AuditEventView, 'hash'>;
export const isKeyed = (hash: string): boolean => hash.startsWith(KEYED);

/** `no-key`: it is keyed, and no key was given. */
export type HashCheck = 'fits' | 'differs' | 'no-key';

export interface HashChain {
  /** Of the key in use, for telling keys apart; '' without one. It says nothing of the key itself. */
  readonly keyName: string;
  knows(keyName: string): boolean;
  hash(entry: Unhashed): string;
  fit(entry: Unhashed, hash: string): HashCheck;
}

/** The first key hashes; the others are older ones, by which older entries can still be checked. */
export function createHashChain(keys: readonly string[] = []): HashChain {
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

/** One text for one entry: fixed order, no spaces, only ASCII, so that no letter of it can act on the terminal that shows it. */
function canonical(entry: Unhashed): string {
  const ordered: Unhashed = {
    n: entry.n,
    at: entry.at,
    actor: entry.actor,
    actorId: entry.actorId,
    method: entry.method,
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
export const entryText = ({ hash, ...entry }: AuditEventView): string =>
  `${canonical(entry).slice(0, -1)},"hash":${JSON.stringify(hash)}}`;

/** Null when the text is not one that `entryText` writes, to the letter. */
export function readEntry(text: string): AuditEventView | null {
  const entry = parseEntry(text);
  return entry && entryText(entry) === text ? entry : null;
}

/** For searching many entries, unchecked: use `readEntry` for one that is shown. */
export const parseEntry = (text: string): AuditEventView | null => parseJsonRow(auditEventSchema, text);
