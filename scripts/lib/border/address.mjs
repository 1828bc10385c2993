/** Where a request came from. What a client says of itself counts only as far as the proxies in front are known. */
import { isIP } from 'node:net';

/**
 * Each proxy adds, at the end, whom it was asked by. So with one proxy the last entry is true, with two the last but one, and
 * whatever stands before was made up by somebody.
 * @param {string | undefined} socketAddress
 * @param {string | string[] | undefined} forwardedFor the X-Forwarded-For header
 * @param {number} trustProxy
 */
export function clientAddress(socketAddress, forwardedFor, trustProxy) {
  const own = plain(socketAddress ?? '') ?? 'unknown';
  if (trustProxy === 0 || forwardedFor === undefined) return own;
  const said = String(forwardedFor).split(',').reverse();
  const hop = said[Math.min(trustProxy, said.length) - 1] ?? '';
  return plain(hop) ?? own;
}

/** Without port, brackets, zone and the IPv6 clothing of an IPv4 address. @param {string} text @returns {string | null} */
function plain(text) {
  const bare = text
    .trim()
    .replace(/^\[([^\]]+)\](?::\d+)?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');
  const address = bare.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '');
  return isIP(address) ? address.toLowerCase() : null;
}

/**
 * One place has a whole /64 of IPv6 addresses to come from, and often many of them at once. lib/server/border.ts counts by the
 * same; the test beside this file compares the two.
 * @param {string} address
 */
export function placeOf(address) {
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - first.length - last.length);
  const groups = [...first, ...Array(zeros).fill('0'), ...last].map((group) =>
    /^[0-9a-f]{1,4}$/i.test(group) ? Number.parseInt(group, 16).toString(16) : group,
  );
  return `${groups.slice(0, 4).join(':')}::/64`;
}
