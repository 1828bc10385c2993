/**
 * Which addresses belong to the public internet. An alert must not reach what only the console's machine reaches: other services on it,
 * databases behind it, or the metadata service of a cloud.
 */
import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** IANA's registries of special-purpose addresses: what is not reachable globally, multicast, and addresses that contain others. */
const NOT_PUBLIC_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];
/** Inside of 2000::/3, the only range of global unicast addresses. */
const NOT_PUBLIC_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const listOf = (ranges: readonly string[], family: 'ipv4' | 'ipv6'): BlockList => {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', prefix] = range.split('/');
    list.addSubnet(network, Number(prefix), family);
  }
  return list;
};
const special4 = listOf(NOT_PUBLIC_V4, 'ipv4');
const special6 = listOf(NOT_PUBLIC_V6, 'ipv6');
const global6 = listOf(['2000::/3'], 'ipv6');

/** False also for text that is not an address. IPv4 inside of IPv6 (mapped, NAT64, 6to4, Teredo) is not public. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !special4.check(address, 'ipv4');
  // A zone (fe80::1%eth0) only belongs to a link-local address.
  if (!isIPv6(address) || address.includes('%')) return false;
  return global6.check(address, 'ipv6') && !special6.check(address, 'ipv6');
}
