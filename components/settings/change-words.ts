/** An entry of a queue's record in words. What it does not know it shows as it stands there. */
import { scopeWords } from '@/lib/client/pauses';
import { type Change, queueConfigSchema, shardingSchema } from '@/lib/contract/config';
import { pauseScopeSchema } from '@/lib/contract/queue';
import { type Difference, differences } from './words';

export interface ChangeWords {
  title: string;
  lines: readonly Difference[];
}

export function changeWords({ id, what, before, after }: Change): ChangeWords {
  switch (what) {
    case 'pause':
      return { title: `Paused ${scopeOf(before)}${untilWords(after)}`, lines: [] };
    case 'resume':
      return { title: `Resumed ${scopeOf(before)}`, lines: [] };
    case 'drain':
      return { title: 'Draining: refuses new jobs', lines: [] };
    case 'undrain':
      return { title: 'Takes new jobs again', lines: [] };
    case 'config': {
      const [was, is] = [settingsOf(before), settingsOf(after)];
      if (was && is) return { title: 'Changed settings', lines: differences(was, is) };
      return { title: 'Changed settings', lines: raw(id, before, after) };
    }
    case 'sharding': {
      const [was, is] = [layoutOf(before), layoutOf(after)];
      if (was && is)
        return { title: 'Changed the shards', lines: [{ id, label: 'Shards', before: was, after: is }] };
      return { title: 'Changed the shards', lines: raw(id, before, after) };
    }
    case 'operation':
      return { title: operationWords(before, after), lines: [] };
    default:
      return { title: what, lines: raw(id, before, after) };
  }
}

const raw = (id: string, before: string | null, after: string | null): Difference[] =>
  before === null && after === null ? [] : [{ id, label: 'Was', before: before ?? '–', after: after ?? '–' }];

/** Entered by the queue as `<kind> <operation>[: <what it is about>]` and what happened to it here. */
function operationWords(before: string | null, after: string | null): string {
  const [, kind = 'operation', id = '', set] = /^(\S+) ([^\s:]+)(?:: (.*))?$/s.exec(before ?? '') ?? [];
  return `Bulk ${kind} ${id}${set ? ` (${set})` : ''}: ${after ?? 'changed'}`;
}

function scopeOf(text: string | null): string {
  const scope = pauseScopeSchema.safeParse(text);
  if (!scope.success) return text ?? 'the queue';
  return scope.data === 'queue' ? 'the whole queue' : scopeWords(scope.data);
}

function untilWords(text: string | null): string {
  const at = Number(text?.match(/^until (\d+)$/)?.[1] ?? Number.NaN);
  return Number.isFinite(at) ? ` until ${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC` : '';
}

/** The settings a record names. Long ones were cut there and cannot be read: then their text is shown. */
const settingsOf = (text: string | null) => queueConfigSchema.partial().safeParse(jsonOf(text)).data;

function layoutOf(text: string | null): string | null {
  const layout = shardingSchema.safeParse(jsonOf(text));
  return layout.success ? shardWords(layout.data) : null;
}

export const shardWords = ({ count, by }: { count: number; by: 'id' | 'tenant' }): string =>
  count === 1 ? 'one' : `${count}, by ${by === 'id' ? 'job id' : 'tenant'}`;

function jsonOf(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}
