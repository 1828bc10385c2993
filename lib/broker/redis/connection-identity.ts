/**
 * Whether a connection is in the database and the user that its address names. ioredis goes on in database 0 after a refused SELECT, so the
 * server is asked after each connect.
 */
import type { Redis } from 'ioredis';
import { RedriveError } from '@/lib/contract/redrive-error';
import { listen } from './connection/shared-listeners';

/** The server refuses this command; proxies use words of their own. Any other refusal passes, such as BUSY. */
const REFUSED = /^-?(?:NOPERM|ERR)\b(?!.*max number of clients)/;
const DEFAULT_USER = 'default';

/** What the address, or the options of a connection that the application brought, name. */
const databaseOf = (redis: Redis): number => redis.options.db ?? 0;
const userOf = (redis: Redis): string => redis.options.username || DEFAULT_USER;

/**
 * Closes a connection after a refused SELECT, so that no command runs in database 0 instead. ioredis then reconnects. Returns how to
 * stop.
 */
export const closeOnRefusedSelect = (redis: Redis): (() => void) =>
  listen(redis, 'error', (error: Error) => {
    if (isRefusedSelect(error) && redis.status === 'connect') redis.stream.destroy();
  });

const isRefusedSelect = (error: Error & { command?: { name?: string } }): boolean =>
  error.command?.name === 'select';

/** The sentence for a SELECT that ioredis reports as refused; null for any other error. */
export function refusedSelect(redis: Redis, error: Error): RedriveError | null {
  return isRefusedSelect(error) && REFUSED.test(error.message) ? refusalOf(databaseOf(redis), error) : null;
}

function refusalOf(database: number, { message }: Error): RedriveError {
  const [why, remedy] = /^-?NOPERM/.test(message)
    ? ['its user may not use SELECT', 'Allow it (ACL SETUSER … +select), or use database 0']
    : [
        /out of range/i.test(message) ? 'it has fewer databases' : 'it refused SELECT',
        'Name a database that it has, or raise `databases` in redis.conf',
      ];
  return unsafe(
    `The Redis address names database ${database}, and this Redis does not open it: ${why}. Nothing was changed. ${remedy}.`,
  );
}

/**
 * Asks the server for the database and the user of the connection; SELECT stands in where the user may not ask CLIENT INFO.
 * @throws RedriveError REDIS_UNSAFE when they are not those of the address
 */
export async function checkIdentity(redis: Redis): Promise<void> {
  const info = await answerTo(redis.call('CLIENT', 'INFO'));
  if (info === null) {
    await checkBySelect(redis);
    return;
  }
  const database = Number(info.match(/(?:^| )db=(\d+)/)?.[1]);
  if (database !== databaseOf(redis))
    throw unsafe(
      `This connection is in database ${database} of Redis, and its address or options name database ${databaseOf(redis)}. Nothing was changed. Name the database in the address (redis://host:6379/${database}) or in the options (db: ${database}): one chosen by SELECT is lost when the connection is.`,
    );
  const user = info.match(/(?:^| )user=(\S*)/)?.[1];
  if (user !== undefined && user !== userOf(redis))
    throw unsafe(
      'This connection is not the Redis user that its address or options name. Nothing was changed. Put user and password into the address (redis://user:password@host:6379) or the options: one given by AUTH is lost when the connection is.',
    );
}

/** A user without SELECT is in database 0, in which every connection begins. */
async function checkBySelect(redis: Redis): Promise<void> {
  const database = databaseOf(redis);
  try {
    await redis.select(database);
  } catch (error) {
    if (!(error instanceof Error) || !REFUSED.test(error.message)) throw error;
    if (database !== 0) throw refusalOf(database, error);
  }
}

/** Null: the question is not allowed to this user, or this server does not know it. */
async function answerTo(question: Promise<unknown>): Promise<string | null> {
  try {
    return String(await question);
  } catch (error) {
    if (error instanceof Error && REFUSED.test(error.message)) return null;
    throw error;
  }
}

const unsafe = (sentence: string) => new RedriveError('REDIS_UNSAFE', sentence);
