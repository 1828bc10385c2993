/**
 * The server in front of Next (scripts/serve.mjs) refuses foreign hosts, sets every header and says where requests come from. Without
 * it the console would believe what clients say of themselves, so it does not start.
 */
import { ConfigurationError } from './env';

const MARK = Symbol.for('redrive.border');

/**
 * What tells the server in front of Next that the console has started, so that it listens.
 * @throws ConfigurationError when there is no such server
 */
export function borderReady(): () => void {
  const ready: unknown = Reflect.get(globalThis, MARK);
  if (typeof ready === 'function') return () => ready();
  throw new ConfigurationError([
    'The console is started with `npm start` or `npm run dev`: next start alone has no defences.',
  ]);
}

/** Where a request came from; never what the client says, unless a trusted proxy said it. */
export const addressOf = (request: { headers: Headers }): string =>
  request.headers.get('x-redrive-address') ?? 'unknown';
