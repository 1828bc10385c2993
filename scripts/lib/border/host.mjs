/**
 * Which names the console answers to. A page of another site can have its own name resolve to this machine (DNS rebinding), and
 * its requests then look like the console's own, but for the Host. Compared whole: never a pattern.
 */
import { isLoopback } from '../net.mjs';

/** @typedef {import('./settings.mjs').Settings} Settings */

/** Probes of an orchestrator ask by whatever address they have, and these two say nothing but "up". */
const PROBES = new Set(['/healthz', '/readyz']);

/**
 * The names of this machine itself are answered at any port: an SSH tunnel has its own, and no name server can give them away.
 * lib/server/same-site.ts asks the same once more, for whoever comes to a route another way.
 * @param {string | undefined} header @param {Pick<Settings, 'hosts'>} settings
 */
export function isOwnHost(header, { hosts }) {
  const host = (header ?? '').toLowerCase();
  const [, name = ''] = /^(\[[0-9a-f:.]+\]|[^:[\]@/]+)(?::\d{1,5})?$/.exec(host) ?? [];
  return isLoopback(name.replace(/^\[|\]$/g, '')) || (name !== '' && (hosts.has(name) || hosts.has(host)));
}

/** @param {string} path */
export const isProbe = (path) => PROBES.has(path);
