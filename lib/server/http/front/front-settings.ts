/**
 * Settings of the front server, read from the environment. environment.ts checks the same variables in words before the console
 * listens; an odd value here falls back to the stricter choice.
 */

import { publicPathOf } from '@/lib/server/settings/public-path';
import { allowedHosts } from '../own-host';

export interface FrontSettings {
  /** Where to listen. */
  readonly host: string;
  readonly port: number;
  readonly dev: boolean;
  /** Whether users reach the console over https. */
  readonly tls: boolean;
  /** The address that users type, with its scheme. */
  readonly origin: string;
  /** The path of PUBLIC_URL, `/ops/redrive`; '' at the root. Next's development server answers at the root only. */
  readonly basePath: string;
  /** Host names that are answered besides loopback names: in lower case, with a port or for any port. */
  readonly hosts: ReadonlySet<string>;
  /** How many proxies stand in front. */
  readonly trustProxy: number;
  /** Multiplies the page rate of one network; 0: no limit. */
  readonly pageRateFactor: number;
  /** Whether names below this one have TLS, too. */
  readonly hstsSubdomains: boolean;
}

export function frontSettings(
  env: Readonly<Record<string, string | undefined>>,
  { host, port, dev = false }: { host: string; port: number; dev?: boolean },
): FrontSettings {
  const publicUrl = env.PUBLIC_URL && URL.canParse(env.PUBLIC_URL) ? new URL(env.PUBLIC_URL) : null;
  const isNumber = host.includes(':') && !host.startsWith('[');
  return {
    host,
    port,
    dev,
    tls: publicUrl?.protocol === 'https:',
    origin: publicUrl?.origin ?? `http://${isNumber ? `[${host}]` : host}:${port}`,
    basePath: (publicUrl && !dev && publicPathOf(publicUrl)) || '',
    hosts: allowedHosts(env),
    trustProxy: proxyCount(env.TRUST_PROXY),
    pageRateFactor: dev || env.AUTH?.trim() === 'none' ? 0 : rateFactor(env.REDRIVE_RATE_FACTOR),
    hstsSubdomains: env.REDRIVE_HSTS === 'subdomains',
  };
}

function proxyCount(text: string | undefined): number {
  const count = Number(text ?? 0);
  return Number.isInteger(count) && count > 0 ? count : 0;
}

function rateFactor(text: string | undefined): number {
  const factor = Number(text || 1);
  return factor >= 0.1 && factor <= 1_000 ? factor : 1;
}
