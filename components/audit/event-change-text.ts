/** What an event changed, in a few words; pure. */
import type { AuditEventView } from '@/lib/contract/audit/audit-schemas';
import { duration } from '@/lib/format/duration';
import { jsonObject } from '@/lib/format/json-object';

const FIELDS_MAX = 3;
const VALUE_MAX = 24;

type Scope = { readonly kind: 'queue' } | { readonly kind: 'tenant' | 'job type'; readonly name: string };

/** What was paused or resumed; null: the event is of something else. */
export function pausedScope({ action, before }: Pick<AuditEventView, 'action' | 'before'>): Scope | null {
  if (action !== 'queue.pause' && action !== 'queue.resume') return null;
  const [, kind, name] = /^(tenant|type):(.+)$/s.exec(before ?? '') ?? [];
  return kind && name ? { kind: kind === 'type' ? 'job type' : 'tenant', name } : { kind: 'queue' };
}

/** When the pause runs out; null: never, or the event is no pause. */
export function pausedUntil({ action, after }: Pick<AuditEventView, 'action' | 'after'>): number | null {
  const [, until] = (action === 'queue.pause' && /^until (\d+)$/.exec(after ?? '')) || [];
  return until ? Number(until) : null;
}

/** "for 15 m", "until resumed", "crash percent 0 → 30", "crash percent 30" where nothing was before; null: nothing to say in short. */
export function changeText(entry: Pick<AuditEventView, 'action' | 'at' | 'before' | 'after'>): string | null {
  const { action, at, before, after } = entry;
  // Its label says what began; how it ended comes later.
  if (action === 'operation.start' || action === 'operation.undo') return null;
  if (action === 'queue.pause') {
    const until = pausedUntil(entry);
    return until === null ? 'until resumed' : `for ${duration(until - at)}`;
  }
  const [old, fresh] = [flat(jsonObject(before)), flat(jsonObject(after))];
  if (!fresh || (!old && before !== null)) return null;
  const changed = Object.keys({ ...old, ...fresh }).filter(
    (field) => JSON.stringify(old?.[field] ?? null) !== JSON.stringify(fresh[field] ?? null),
  );
  const texts = changed
    .slice(0, FIELDS_MAX)
    .map(
      (field) =>
        `${wordsOf(field)} ${old ? `${valueText(old[field], field)} → ` : ''}${valueText(fresh[field], field)}`,
    );
  const more = changed.length - texts.length;
  return texts.length === 0 ? null : `${texts.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Parts of objects as fields of their own: `rate: {perSecond: 5}` is `rate perSecond: 5`. A cut object would look the same before and after. */
function flat(object: Readonly<Record<string, unknown>> | null): Record<string, unknown> | null {
  if (!object) return null;
  const parts = Object.entries(object).flatMap(([field, value]): [string, unknown][] =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.entries(value).map(([part, inner]) => [`${field} ${part}`, inner])
      : [[field, value]],
  );
  return Object.fromEntries(parts);
}

/** `crashPercent`: crash percent. */
const wordsOf = (field: string): string => field.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** Ms since 1970, by the name of the field. */
const IS_TIME = /(?:At|[uU]ntil)$/;
const YEAR_2001_MS = 1e12;

function valueText(value: unknown, field: string): string {
  if (value === undefined || value === null) return 'none';
  if (typeof value === 'number' && value > YEAR_2001_MS && IS_TIME.test(field))
    return `${new Date(value).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > VALUE_MAX ? `${text.slice(0, VALUE_MAX)}…` : text;
}
