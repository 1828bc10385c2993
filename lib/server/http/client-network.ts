/** Where a request comes from, and the networks that limits count by. */

/** Set by the front server; a client cannot choose it, unless a trusted proxy reports it. */
export const addressOf = (request: { headers: Headers }): string =>
  request.headers.get('x-redrive-address') ?? 'unknown';

/** The groups of an IPv6 address as numbers, so that each network has one name only. */
function groupsOf(address: string): string[] {
  const [head = '', tail] = address.split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - first.length - last.length);
  return [...first, ...Array<string>(zeros).fill('0'), ...last].map((group) =>
    /^[0-9a-f]{1,4}$/i.test(group) ? Number.parseInt(group, 16).toString(16) : group,
  );
}

/** The unit of all limits: an IPv4 address, or the /64 of an IPv6 address, since one machine owns all of it. */
export const networkOf = (address: string): string =>
  address.includes(':') ? `${groupsOf(address).slice(0, 4).join(':')}::/64` : address;

/** The networks of an address, the widest first: /16, /24 and the address, or /32, /48 and /64. */
export function networksOf(address: string): readonly [wide: string, middle: string, narrow: string] {
  const isSix = address.includes(':');
  const parts = isSix ? groupsOf(address) : address.split('.');
  const joined = (count: number) => parts.slice(0, count).join(isSix ? ':' : '.');
  return [joined(2), joined(3), joined(4)];
}
