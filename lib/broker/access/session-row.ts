/** A session's row, as lua/include/session-row.lua has it. */
import type { WayIn } from '@/lib/contract/access';
import { aboutSessionSchema } from '@/lib/contract/access-rows';
import { fromJson } from './ids';

export interface Session {
  /** Names it in lists and records; it opens nothing. */
  readonly id: string;
  readonly personId: string;
  readonly personName: string;
  readonly way: WayIn;
  readonly createdAt: number;
  /** When it was used, to the minute. */
  readonly seenAt: number;
  /** When its person last said who they are; 0: never. */
  readonly provedAt: number;
  /** When it ends by itself if it is not used. */
  readonly expiresAt: number;
  /** What must still hold of its person, such as their password's; null: nothing. */
  readonly stamp: string | null;
  readonly address: string;
  readonly agent: string;
}

const ROW = /^(\d+) (\d+) (\d+) (\d+) (\d+) [0-9a-f]{64}\n([^\n]*)\n([^\n]*)\n(.*)$/;

export function readSession(id: string, row: string): Session | null {
  const found = ROW.exec(row);
  if (!found) return null;
  const [createdAt = 0, seenAt = 0, provedAt = 0, most = 0, idleMs = 0] = found.slice(1, 6).map(Number);
  const about = fromJson(aboutSessionSchema, found[8] ?? '');
  if (!about) return null;
  return {
    id,
    personId: found[6] ?? '',
    personName: about.name,
    way: about.way,
    createdAt,
    seenAt,
    provedAt,
    expiresAt: Math.min(most, seenAt + idleMs),
    stamp: found[7] || null,
    address: about.address,
    agent: about.agent,
  };
}
