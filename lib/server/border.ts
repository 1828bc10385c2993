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

/** The first groups of an address, as numbers: the same network reads the same, however it was written. */
function groupsOf(address: string): string[] {
  const [head = '', tail] = address.split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - first.length - last.length);
  return [...first, ...Array<string>(zeros).fill('0'), ...last].map((group) =>
    /^[0-9a-f]{1,4}$/i.test(group) ? Number.parseInt(group, 16).toString(16) : group,
  );
}

/**
 * What one caller is counted by: an IPv4 address, or the /64 of an IPv6 address, since one caller has all of it. Limits of requests, sign-in
 * attempts and the audit log use it. scripts/lib/border/address.mjs counts pages and connections by the same.
 */
export const placeOf = (address: string): string =>
  address.includes(':') ? `${groupsOf(address).slice(0, 4).join(':')}::/64` : address;

/** The networks of an address, the widest first: /16, /24 and the address, or /32, /48 and /64. */
export function blocksOf(address: string): readonly [wide: string, middle: string, place: string] {
  const isSix = address.includes(':');
  const parts = isSix ? groupsOf(address) : address.split('.');
  const joined = (count: number) => parts.slice(0, count).join(isSix ? ':' : '.');
  return [joined(2), joined(3), joined(4)];
}
