/** `redrive users … --redis`: the users that Redis knows, for when no console answers. */
import { RedriveError } from '@/lib/contract/redrive-error';
import { withRedis } from '../terminal/open-redis';
import type { Terminal } from '../terminal/terminal';

/** More than there may be. */
const ALL = 1_000_000;

export interface UserAtRedis {
  readonly id: string;
  readonly name: string;
  readonly sessions: number;
  readonly lastSeenAt: number | null;
  readonly disabled: boolean;
}

/** Users who have signed in, or got other rights, by id. Redis does not know the users file, nor the groups of a provider. */
export const usersAt = (url: string, terminal: Terminal): Promise<{ users: UserAtRedis[] }> =>
  withRedis(url, terminal, async ({ access }) => {
    const sessions = new Map<string, number>();
    for (const { userId } of await access.sessions.list(null, ALL))
      sessions.set(userId, (sessions.get(userId) ?? 0) + 1);
    const users = (await access.users.list()).map(({ id, seen, disabled }) => ({
      id,
      name: seen?.name ?? nameIn(id),
      sessions: sessions.get(id) ?? 0,
      lastSeenAt: seen?.lastSeenAt ?? null,
      disabled: disabled !== null,
    }));
    return { users: users.sort((a, b) => (a.id < b.id ? -1 : 1)) };
  });

/** @throws RedriveError USER_NOT_FOUND | VALIDATION for the user of the one-time link */
export const setDisabledAt = (
  url: string,
  terminal: Terminal,
  { id, disabled, reason }: { id: string; disabled: boolean; reason: string },
): Promise<{ name: string; disabled: boolean }> =>
  withRedis(url, terminal, async ({ access: { users } }) => {
    const known = await users.get(id);
    if (known.seen === null && known.grants === null && known.disabled === null)
      throw new RedriveError(
        'USER_NOT_FOUND',
        `Redis knows no user ${id}: no user with this id has signed in. Users of the users file are removed with redrive users file remove. Nothing was changed.`,
      );
    if (id === 'link' || known.seen?.method === 'link')
      throw new RedriveError(
        'VALIDATION',
        'The user of the one-time link always has full access. Configure users, and remove link from AUTH. Nothing was changed.',
      );
    const name = known.seen?.name ?? nameIn(id);
    await users.change(id, { disabled }, { actor: actorOf(terminal), reason }, name);
    return { name, disabled };
  });

const nameIn = (id: string): string => id.slice(id.lastIndexOf(':') + 1);

/** In the audit log: no console has checked this name. */
const actorOf = ({ env }: Terminal): string => `${env.USER || 'somebody'} by redrive users --redis`;
