/** An API token's row, as lua/include/token-row.lua has it. */
import { type AboutToken, aboutTokenSchema } from '@/lib/contract/access-rows';
import { fromJson } from './ids';

export interface Token extends AboutToken {
  /** Names it in lists and records; it opens nothing. */
  readonly id: string;
  readonly ownerId: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** To the minute. */
  readonly lastUsedAt: number | null;
  readonly lastAddress: string | null;
}

const ROW = /^(\d+) (\d+) (\d+) [0-9a-f]{64}\n([^\n]*)\n([^\n]*)\n(.*)$/;

export function readToken(id: string, row: string): Token | null {
  const found = ROW.exec(row);
  const about = found && fromJson(aboutTokenSchema, found[6] ?? '');
  if (!about) return null;
  return {
    ...about,
    id,
    ownerId: found[4] ?? '',
    createdAt: Number(found[1]),
    expiresAt: Number(found[2]),
    lastUsedAt: Number(found[3]) || null,
    lastAddress: found[5] || null,
  };
}
