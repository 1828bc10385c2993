/** The addresses of a receiver, checked before anything is sent. The connection goes to one of these, so a second answer of the name server changes nothing. */
import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { hostText, isAllowedByName, type OutgoingTarget } from '@/lib/contract/alerts/outgoing-target';
import { allowHint } from '../settings/alert-config-schema';
import { isPublicAddress } from '../settings/public-address';
import { AlertSendError } from './alert-send-error';

/** Addresses of a name that are tried. */
const ADDRESSES_MAX = 8;

/** All addresses of a name, as the system's resolver gives them. */
export type Resolver = (host: string) => Promise<LookupAddress[]>;

export interface ResolveOptions {
  readonly allowedHosts: readonly string[];
  readonly signal: AbortSignal;
  readonly resolver?: Resolver;
}

const systemResolver: Resolver = (host) => lookup(host, { all: true });

/** @throws AlertSendError when the name has no address, or one that is not public without permission */
export async function resolveTarget(
  target: OutgoingTarget,
  { allowedHosts, signal, resolver = systemResolver }: ResolveOptions,
): Promise<LookupAddress[]> {
  const { host } = target;
  const family = isIP(host);
  const addresses = family === 0 ? await answerOf(resolver, target, signal) : [{ address: host, family }];
  if (addresses.length === 0) throw new AlertSendError(`${hostText(target)} has no address.`);
  // One inner address among public ones is enough to refuse: the connection could go there.
  const inner = addresses.find(({ address }) => !isPublicAddress(address));
  if (inner && !isAllowedByName(allowedHosts, target))
    throw new AlertSendError(
      `${hostText(target)} leads to ${inner.address}, which is not a public address. ${allowHint(target)} of the alert configuration.`,
    );
  return addresses.slice(0, ADDRESSES_MAX);
}

/** Makes a connection go to these addresses, without asking for them again. */
export const lookupOf =
  (addresses: readonly LookupAddress[]): LookupFunction =>
  (_host, { all }, done) => {
    const [first] = addresses;
    if (all) done(null, [...addresses]);
    else done(null, first?.address ?? '', first?.family);
  };

/** The system's resolver cannot be interrupted, only be left alone. */
async function answerOf(
  resolver: Resolver,
  target: OutgoingTarget,
  signal: AbortSignal,
): Promise<LookupAddress[]> {
  let giveUp = (): void => {};
  const late = new Promise<never>((_, reject) => {
    giveUp = () => reject(new AlertSendError(`The name server did not answer for ${hostText(target)}.`));
    signal.addEventListener('abort', giveUp, { once: true });
  });
  try {
    signal.throwIfAborted();
    return await Promise.race([resolver(target.host), late]);
  } catch (cause) {
    if (cause instanceof AlertSendError) throw cause;
    const code = (cause as NodeJS.ErrnoException).code ?? 'no answer';
    throw new AlertSendError(`${hostText(target)} cannot be resolved (${code}).`, { cause });
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}
