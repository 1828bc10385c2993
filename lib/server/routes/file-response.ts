import type { Permission } from '@/lib/contract/access/grant-scopes';
import { isAdministrator, type Principal, quotaOwnerId } from '../authentication/principal';
import { revalidateStream } from '../authorization/revalidate-stream';
import type { ResponseStreams } from '../http/response-streams';

/** A file to download, written while its client reads. HEAD gets the headers and writes no file. */
export async function fileResponse(
  { principal, permission, request }: { principal: Principal; permission: Permission; request: Request },
  streams: ResponseStreams,
  { name, contentType }: { name: string; contentType: string },
  write: (signal: AbortSignal) => AsyncGenerator<string, void>,
): Promise<Response> {
  const body =
    request.method === 'GET'
      ? await streams.start(
          (signal) => revalidateStream(principal, permission, write(signal)),
          request.signal,
          quotaOwnerId(principal),
          isAdministrator(principal),
        )
      : null;
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
