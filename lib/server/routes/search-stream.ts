/** A search that sends matches as it finds them: one JSON value a line. */
import { RedriveError } from '@/lib/contract/redrive-error';
import type { FindEvent } from '@/lib/contract/search/find-schemas';
import type { SearchEvent } from '@/lib/contract/search/search-schemas';
import type { Principal } from '../authentication/principal';
import { revalidateStream } from '../authorization/revalidate-stream';
import { log } from '../console-log';
import { ResponseStreams } from '../http/response-streams';
import { shownError, shownMessage } from '../shown-error';
import { singleton } from '../singleton';
import { startBody } from './file-response';

export const SEARCHES_AT_ONCE = 4;
/** Of one user, so that others can search, too. */
const SEARCHES_EACH = 3;
const IDLE_MS = 30_000;

export const getSearchStreams = singleton(
  'search-streams',
  () =>
    new ResponseStreams({
      what: 'searches',
      most: SEARCHES_AT_ONCE,
      mostEach: SEARCHES_EACH,
      idleMs: IDLE_MS,
    }),
);

type Event = SearchEvent | FindEvent;

/**
 * The matches that `find` yields, as the response of a route. HEAD gets the headers and searches nothing.
 * @throws RedriveError TOO_MANY_STREAMS, and what the first step of the search throws
 */
export async function searchResponse(
  { principal, request }: { principal: Principal; request: Request },
  find: (signal: AbortSignal) => AsyncGenerator<Event, void>,
): Promise<Response> {
  const body = await startBody({ principal, request }, getSearchStreams(), (signal) =>
    linesOf(revalidateStream(principal, 'view', find(signal)), signal),
  );
  return new Response(body, {
    headers: {
      'content-type': 'application/x-ndjson; charset=utf-8',
      // no-transform: a compressing proxy would hold lines back.
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    },
  });
}

/** A late error becomes the last line, since the status is sent already. */
async function* linesOf(events: AsyncIterable<Event>, signal: AbortSignal): AsyncGenerator<string, void> {
  let sent = false;
  try {
    for await (const event of events) {
      yield line(event);
      sent = true;
    }
  } catch (error) {
    if (!sent || signal.aborted) throw error;
    yield line({ error: errorLine(error) });
  }
}

const line = (event: Event): string => `${JSON.stringify(event)}\n`;

function errorLine(error: unknown): { code: string; detail: string } {
  if (error instanceof RedriveError) return { code: shownError(error).code, detail: shownMessage(error) };
  log().error({ err: error }, 'a search failed');
  return {
    code: 'INTERNAL',
    detail: 'Internal error. The log of the console has the details.',
  };
}
