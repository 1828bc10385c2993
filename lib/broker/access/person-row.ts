/** What is known of a person: what they brought when they signed in, and what was given to them here. */
import { type AboutPerson, aboutPersonSchema, disabledBySchema } from '@/lib/contract/access-rows';
import { type Grant, grantsSchema } from '@/lib/contract/permissions';
import { fromJson } from './ids';

export interface Seen extends AboutPerson {
  readonly firstSeenAt: number;
  readonly lastSeenAt: number;
}

export interface Given {
  /** Null: nothing was given here; their file or groups say what they may do. */
  readonly grants: readonly Grant[] | null;
  /** Null: they may sign in. */
  readonly disabled: { readonly by: string; readonly at: number; readonly reason: string } | null;
}

export interface StoredPerson extends Given {
  readonly id: string;
  /** Null: was never here, or so long ago that it was forgotten. */
  readonly seen: Seen | null;
}

export function readSeen(row: string): Seen | null {
  const found = /^(\d+) (\d+)\n(.*)$/.exec(row);
  const about = found && fromJson(aboutPersonSchema, found[3] ?? '');
  return about ? { ...about, firstSeenAt: Number(found[1]), lastSeenAt: Number(found[2]) } : null;
}

const NOTHING: Given = { grants: null, disabled: null };
/** Damaged from outside: what was taken away from somebody does not come back by that. */
const CLOSED: Given = { grants: [], disabled: { by: 'redrive', at: 0, reason: 'the row cannot be read' } };

export function readGiven(row: string): Given {
  if (row === '') return NOTHING;
  const found = /^([^\n]*)\n(?:-|(\d+) (.*))$/.exec(row);
  if (!found) return CLOSED;
  const [, grantsText = '', at, shutText = ''] = found;
  const grants = grantsText === '-' ? null : fromJson(grantsSchema, grantsText);
  const shut = at === undefined ? null : fromJson(disabledBySchema, shutText);
  if ((grants === null && grantsText !== '-') || (shut === null && at !== undefined)) return CLOSED;
  return { grants, disabled: shut && { ...shut, at: Number(at) } };
}
