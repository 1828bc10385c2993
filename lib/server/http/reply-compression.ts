/**
 * Compresses answers to GET. Next itself compresses pages and files only: it hands the content type of a route's answer to its
 * compression as a list, which counts as no type.
 */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { ROUTE_ENCODING } from './front/security-headers';

/** Below, headers and both ends' work weigh more than what is saved. */
const LEAST_BYTES = 1_024;
/** A third of the time of the default level, for a tenth more bytes. */
const LEVEL = 4;
/** Streams have other types, and `no-transform` besides. */
const COMPRESSIBLE = /^(application\/json|text\/plain)(;|$)/;

const compress = promisify<Uint8Array, { level: number }, Buffer>(gzip);

/** @returns the answer itself unless the client asks for gzip */
export async function compressReply(request: Request, response: Response): Promise<Response> {
  const { headers, body } = response;
  if (request.method !== 'GET' || response.status !== 200 || !body) return response;
  if (!COMPRESSIBLE.test(headers.get('content-type') ?? '')) return response;
  if (headers.get('cache-control')?.includes('no-transform')) return response;
  headers.append('vary', 'Accept-Encoding');
  if (!acceptsGzip(request.headers.get('accept-encoding'))) return response;
  let bytes = new Uint8Array(await response.arrayBuffer());
  if (bytes.length >= LEAST_BYTES) {
    bytes = new Uint8Array(await compress(bytes, { level: LEVEL }));
    headers.set(ROUTE_ENCODING, 'gzip');
  }
  return new Response(bytes, { headers });
}

function acceptsGzip(accepted: string | null): boolean {
  return (accepted ?? '').split(',').some((part) => {
    const [coding = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    return (coding === 'gzip' || coding === '*') && !parameters.some((text) => /^q=0(\.0*)?$/.test(text));
  });
}
