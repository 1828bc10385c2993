/** A search whose matches are sent as they are found: a JSON value a line. */
import type { z } from 'zod';
import { sayable } from '@/lib/broker/redis-errors';
import type { SearchEvent, streamQuerySchema } from '@/lib/contract/dead';
import { RedriveError } from '@/lib/contract/errors';
import type { Within } from '@/lib/contract/permissions';
import { holderOf, isAdministrator, type Principal } from './access/principal';
import { getBroker } from './broker';
import { whileGood } from './guarded/while-good';
import { log } from './log';
import { singleton } from './singleton';
import { Streams } from './streaming';

export const SEARCHES_AT_ONCE = 4;
/** Of one person, so that somebody else can always search, too. */
export const SEARCHES_EACH = 3;
const IDLE_MS = 30_000;

export const getSearchStreams = singleton(
  'search-streams',
  () => new Streams({ what: 'searches', most: SEARCHES_AT_ONCE, mostEach: SEARCHES_EACH, idleMs: IDLE_MS }),
);

type Asked = z.output<typeof streamQuerySchema> & { within?: Within };

/** @throws RedriveError BAD_QUERY | BAD_CURSOR | TOO_MANY_STREAMS, and what Redis answers to the first step */
export function openSearch(
  principal: Principal,
  { q, within, ...options }: Asked,
  client: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  return getSearchStreams().start(
    (signal) => {
      const found = getBroker().inspect.searchStream({ state: 'dead', q, within }, { ...options, signal });
      return linesOf(whileGood(principal, 'view', found), signal);
    },
    client,
    holderOf(principal),
    isAdministrator(principal),
  );
}

/** What fails once something was sent is the last line: a status cannot be taken back. */
async function* linesOf(
  events: AsyncIterable<SearchEvent>,
  signal: AbortSignal,
): AsyncGenerator<string, void> {
  let sent = false;
  try {
    for await (const event of events) {
      yield line(event);
      sent = true;
    }
  } catch (error) {
    if (!sent || signal.aborted) throw error;
    yield line({ error: wordsOf(error) });
  }
}

const line = (event: SearchEvent): string => `${JSON.stringify(event)}\n`;

function wordsOf(error: unknown): { code: string; detail: string } {
  if (error instanceof RedriveError) return { code: error.code, detail: sayable(error) };
  log().error({ err: error }, 'a search failed');
  return {
    code: 'INTERNAL',
    detail: 'The search failed for a reason on our side. The log of the console has it.',
  };
}
