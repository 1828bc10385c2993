/** Hosts that alerts are sent to, and which of them may be private: those that the configuration names. */

export interface OutgoingTarget {
  /** A name, or an address without brackets; in lower case. */
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte. */
  readonly isSecure: boolean;
}

const SCHEMES: Readonly<Record<string, { readonly port: number; readonly isSecure: boolean }>> = {
  'https:': { port: 443, isSecure: true },
  'http:': { port: 80, isSecure: false },
  'smtps:': { port: 465, isSecure: true },
  'smtp:': { port: 587, isSecure: false },
};

/** Null: not an address that alerts can be sent to. */
export function targetOf(address: string): OutgoingTarget | null {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  const scheme = SCHEMES[url.protocol];
  const host = url.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  if (!scheme || host === '') return null;
  return { host, port: url.port === '' ? scheme.port : Number(url.port), isSecure: scheme.isSecure };
}

/** As people write it: with the port only where it says something. */
export function hostText({ host, port }: OutgoingTarget): string {
  const name = host.includes(':') ? `[${host}]` : host;
  return port === 443 ? name : `${name}:${port}`;
}

/** Whether the configuration names it, with this port or for any port. Whole names only: a pattern would allow more than it seems to. */
export function isAllowedByName(allowedHosts: readonly string[], { host, port }: OutgoingTarget): boolean {
  const name = host.includes(':') ? `[${host}]` : host;
  return allowedHosts.includes(name) || allowedHosts.includes(`${name}:${port}`);
}
