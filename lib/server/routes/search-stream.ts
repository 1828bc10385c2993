/** A search that sends matches as it finds them: one JSON value a line. */
import type { z } from 'zod';
import type { AccessScope } from '@/lib/contract/access/grant-scopes';
import { RedriveError } from '@/lib/contract/redrive-error';
import type { FindEvent, findStreamQuerySchema } from '@/lib/contract/search/find-schemas';
import type { SearchEvent, streamQuerySchema } from '@/lib/contract/search/search-schemas';
import { isAdministrator, type Principal, quotaOwnerId } from '../authentication/principal';
import { revalidateStream } from '../authorization/revalidate-stream';
import { getBroker } from '../console-broker';
import { log } from '../console-log';
import { ResponseStreams } from '../http/response-streams';
import { shownError, shownMessage } from '../shown-error';
import { singleton } from '../singleton';

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

type Asked = z.output<typeof streamQuerySchema> & { within?: AccessScope };

/** @throws RedriveError BAD_QUERY | BAD_CURSOR | TOO_MANY_STREAMS, and what Redis answers to the first step */
export function openSearch(
  principal: Principal,
  { q, within, ...options }: Asked,
  client: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  return startStream(principal, client, (signal) =>
    getBroker().inspect.searchStream({ state: 'dead', q, within }, { ...options, signal }),
  );
}

/** @throws RedriveError TOO_MANY_STREAMS, and what Redis answers to the first step */
export const openFind = (
  principal: Principal,
  { q, ...options }: z.output<typeof findStreamQuerySchema> & { within?: AccessScope },
  client: AbortSignal,
): Promise<ReadableStream<Uint8Array>> =>
  startStream(principal, client, (signal) => getBroker().inspect.findStream(q, { ...options, signal }));

type Event = SearchEvent | FindEvent;

const startStream = (
  principal: Principal,
  client: AbortSignal,
  open: (signal: AbortSignal) => AsyncGenerator<Event, void>,
): Promise<ReadableStream<Uint8Array>> =>
  getSearchStreams().start(
    (signal) => linesOf(revalidateStream(principal, 'view', open(signal)), signal),
    client,
    quotaOwnerId(principal),
    isAdministrator(principal),
  );

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

/** The response of a streamed search. */
export const streamResponse = (body: ReadableStream<Uint8Array> | null): Response =>
  new Response(body, {
    headers: {
      'content-type': 'application/x-ndjson; charset=utf-8',
      // no-transform: a compressing proxy would hold lines back.
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    },
  });

function errorLine(error: unknown): { code: string; detail: string } {
  if (error instanceof RedriveError) return { code: shownError(error).code, detail: shownMessage(error) };
  log().error({ err: error }, 'a search failed');
  return {
    code: 'INTERNAL',
    detail: 'Internal error. The log of the console has the details.',
  };
}
