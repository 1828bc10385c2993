/**
 * The host names of this console. A page of another site can let its own name resolve to this machine (DNS rebinding), so the Host
 * header is compared with whole names, never with a pattern.
 */
import { isLoopbackHost } from '@/lib/contract/loopback-host';

/** PUBLIC_URL and REDRIVE_ALLOWED_HOSTS as names in lower case, each with its port or for any port. */
export function allowedHosts(env: {
  readonly PUBLIC_URL?: string | undefined;
  readonly REDRIVE_ALLOWED_HOSTS?: string | readonly string[] | undefined;
}): ReadonlySet<string> {
  const { PUBLIC_URL = '', REDRIVE_ALLOWED_HOSTS = [] } = env;
  const listed =
    typeof REDRIVE_ALLOWED_HOSTS === 'string' ? REDRIVE_ALLOWED_HOSTS.split(',') : REDRIVE_ALLOWED_HOSTS;
  const hosts = new Set(listed.map((name) => name.trim().toLowerCase()).filter(Boolean));
  if (URL.canParse(PUBLIC_URL)) hosts.add(new URL(PUBLIC_URL).host);
  return hosts;
}

/** Loopback names are answered at any port: an SSH tunnel has its own, and no name server can hand them out. */
export function isOwnHost(header: string | null | undefined, hosts: ReadonlySet<string>): boolean {
  const host = (header ?? '').toLowerCase();
  const [, name = ''] = /^(\[[0-9a-f:.]+\]|[^:[\]@/]+)(?::\d{1,5})?$/.exec(host) ?? [];
  return isLoopbackHost(name) || (name !== '' && (hosts.has(name) || hosts.has(host)));
}
