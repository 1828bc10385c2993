/**
 * The server in front of Next (scripts/serve.mjs) refuses foreign hosts, sets every header and says where requests come from. Without
 * it the console would believe what clients say of themselves, so it does not start.
 */
const MARK = Symbol.for('redrive.border');

/** @throws Error */
export function requireBorder(): void {
  if (MARK in globalThis) return;
  throw new Error(
    'The console is started with `npm start` or `npm run dev`: next start alone has no defences.',
  );
}

/** Where a request came from; never what the client says, unless a trusted proxy said it. */
export const addressOf = (request: { headers: Headers }): string =>
  request.headers.get('x-redrive-address') ?? 'unknown';
