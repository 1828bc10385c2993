import type { Permission } from '@/lib/contract/access/grant-scopes';
import { isAdministrator, type Principal, quotaOwnerId } from '../authentication/principal';
import { revalidateStream } from '../authorization/revalidate-stream';
import type { ResponseStreams } from '../http/response-streams';

/** The body of a response that is written while its client reads; null for HEAD. @throws RedriveError TOO_MANY_STREAMS */
export const startBody = async (
  { principal, request }: { principal: Principal; request: Request },
  streams: ResponseStreams,
  write: (signal: AbortSignal) => AsyncGenerator<string, void>,
) =>
  request.method === 'GET'
    ? streams.start(write, request.signal, quotaOwnerId(principal), isAdministrator(principal))
    : null;

/** A file to download, written while its client reads. HEAD gets the headers and writes no file. */
export async function fileResponse(
  { principal, permission, request }: { principal: Principal; permission: Permission; request: Request },
  streams: ResponseStreams,
  { name, contentType }: { name: string; contentType: string },
  write: (signal: AbortSignal) => AsyncGenerator<string, void>,
): Promise<Response> {
  const checked = (signal: AbortSignal) => revalidateStream(principal, permission, write(signal));
  const body = await startBody({ principal, request }, streams, checked);
  return new Response(body, {
    headers: {
      'content-type': contentType,
      'content-disposition': `attachment; filename="${name}"`,
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      // Payloads must never run as a page.
      'x-content-type-options': 'nosniff',
    },
  });
}
