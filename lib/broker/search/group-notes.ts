/** What people said of failure groups: a name, a note, that it is resolved or need not be seen. One record a group, for all queues. */
import { type Group, type GroupNote, groupNoteSchema } from '@/lib/contract/dead';
import type { BrokerContext } from '../context';

export async function notesOf(
  ctx: BrokerContext,
  groups: readonly string[],
): Promise<Map<string, GroupNote>> {
  if (groups.length === 0) return new Map();
  const rows = await ctx.plain((redis) => redis.hmget(ctx.keys.global('groupsNotes'), ...groups));
  return new Map(
    groups.flatMap((group, i) => {
      const note = parseNote(rows[i] ?? null);
      return note ? [[group, note] as const] : [];
    }),
  );
}

/** Resolved lasts until it happens again; muted until somebody says otherwise. */
export function statusOf(note: GroupNote | undefined, lastSeen: number): Group['status'] {
  if (note?.status === 'resolved' && lastSeen > note.statusAt) return 'reopened';
  return note?.status ?? 'open';
}

/** An unreadable record is none. */
export function parseNote(row: string | null): GroupNote | null {
  if (row === null) return null;
  try {
    const parsed = groupNoteSchema.safeParse(JSON.parse(row));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
