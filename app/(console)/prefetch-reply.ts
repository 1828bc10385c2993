import { setTimeout as after } from 'node:timers/promises';
import { type DehydratedState, dehydrate, QueryClient, type QueryKey } from '@tanstack/react-query';
import { pageVisit } from '@/lib/server/authentication/page-principal';
import type { Principal } from '@/lib/server/authentication/principal';
import { type AuthorizedBroker, authorizedBroker } from '@/lib/server/authorized-broker';
import { inShare } from '@/lib/server/routes/large-reads';

/** A page waits no longer for its data. */
const WAIT_MAX_MS = 250;
/** As JSON. Of more, rendered, the page's HTML would be too large. */
const REPLY_MAX_CHARS = 16_000;
/** Each value becomes an element or more. */
const REPLY_MAX_VALUES = 600;
/** Of a larger reply with one of these lists the first rows are sent. */
const FIRST_ROWS = 15;
const LISTS = ['groups', 'jobs', 'operations', 'schedules', 'events'];

type Read<T = unknown> = (broker: AuthorizedBroker, principal: Principal) => Promise<T>;

/**
 * What the page's first request would be answered, so that it shows data before its script runs. Left out when it is late, large or refused:
 * then the browser asks, and is told why.
 *
 * @param queryKey under which the browser asks
 * @param isPart the reply is less than the browser asks for: it reads the whole at once
 */
export async function prefetchReply(
  queryKey: QueryKey,
  read: Read,
  isPart = false,
): Promise<DehydratedState> {
  const client = new QueryClient();
  const { principal } = await pageVisit();
  const answer =
    principal && (await readInTime(principal, async (...of) => JSON.stringify(await read(...of))));
  const reply = answer && firstScreen(answer.data);
  if (reply) client.setQueryData(queryKey, reply.data, isPart || reply.isPart ? { updatedAt: 0 } : undefined);
  return dehydrate(client);
}

/** Null: it came late, or was refused. */
export async function readInTime<T>(principal: Principal, read: Read<T>): Promise<{ data: T } | null> {
  const broker = authorizedBroker({ principal, requestId: 'page', idempotencyKey: null });
  const settled = new AbortController();
  const { signal } = settled;
  // Within the user's share, as the request of the browser is; the reading ends when the page goes on without it.
  const answer = async () => ({
    data: await inShare(principal, { reads: 'large', signal }, () => read(broker, principal)),
  });
  const late = after(WAIT_MAX_MS, null, { signal });
  try {
    return await Promise.race([answer().catch(() => null), late]);
  } finally {
    settled.abort();
  }
}

/** These may be the first rows of its page only: as data of long ago the browser reads it again at once. */
const hasMore = (reply: unknown): boolean =>
  typeof reply === 'object' && reply !== null && 'nextCursor' in reply && reply.nextCursor !== null;

/** The reply or, where that is too large, the first rows of its list. Of these the browser asks for the whole at once, too. */
function firstScreen(text: string): { data: unknown; isPart: boolean } | null {
  const data: unknown = JSON.parse(text);
  if (text.length <= REPLY_MAX_CHARS && text.split(',').length <= REPLY_MAX_VALUES)
    return { data, isPart: hasMore(data) };
  const list = Object.entries(data ?? {}).find(([name]) => LISTS.includes(name));
  if (!list) return null;
  const [name, rows] = list as [string, unknown[]];
  let chars = 0;
  const fitting = rows.slice(0, FIRST_ROWS).filter((row) => {
    chars += JSON.stringify(row).length;
    return chars <= REPLY_MAX_CHARS;
  });
  return fitting.length > 0 ? { data: { ...(data as object), [name]: fitting }, isPart: true } : null;
}

export interface ListProps {
  readonly searchParams: Promise<Readonly<Record<string, unknown>>>;
}

/** The same for a list that begins as usual: with neither filter nor page in its address. */
export async function prefetchList(
  { searchParams }: ListProps,
  queryKey: QueryKey,
  read: Read,
  isPart = false,
): Promise<DehydratedState> {
  const isPlain = Object.keys(await searchParams).length === 0;
  return isPlain ? prefetchReply(queryKey, read, isPart) : { mutations: [], queries: [] };
}
