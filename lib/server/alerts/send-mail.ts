/** A mail over SMTP. The connection is opened here, to a checked address; nodemailer speaks on it. */
import type { LookupAddress } from 'node:dns';
import { connect, type Socket } from 'node:net';
import { createTransport } from 'nodemailer';
import type { AlertMessage } from '@/lib/contract/alerts/alert-schemas';
import {
  hostText,
  isAllowedByName,
  type OutgoingTarget,
  targetOf,
} from '@/lib/contract/alerts/outgoing-target';
import type { AlertChannel } from '../settings/alert-config-schema';
import { AlertSendError } from './alert-send-error';
import { mailText } from './formats/mail-format';
import { attemptSignal, type SendOptions, unreachable } from './outgoing-request';
import { lookupOf, resolveTarget } from './resolve-target';

/** Mail servers may keep unknown clients waiting for some seconds before they answer. */
const DEADLINE_MS = 20_000;

type MailChannel = Extract<AlertChannel, { kind: 'email' }>;

/** Resolves when the server took the mail for all receivers. @throws AlertSendError */
export async function sendMail(
  channel: MailChannel,
  message: AlertMessage,
  options: SendOptions,
): Promise<void> {
  const target = targetOf(channel.smtp);
  if (target === null)
    throw new AlertSendError('The mail server of the channel cannot be used.', { isFinal: true });
  const signal = attemptSignal({ ...options, deadlineMs: options.deadlineMs ?? DEADLINE_MS });
  const addresses = await resolveTarget(target, { ...options, signal });
  const connection = await openConnection(target, addresses, signal);
  const transport = createTransport({ ...transportOptions(channel, target, options), connection });
  try {
    const { rejected } = await transport.sendMail({
      from: channel.from,
      to: channel.to,
      ...mailText(message, channel.from),
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
    if (rejected.length > 0)
      throw new AlertSendError(
        `${hostText(target)} took the mail for ${channel.to.length - rejected.length} of ${channel.to.length} receivers.`,
        { isFinal: true },
      );
  } catch (error) {
    throw error instanceof AlertSendError ? error : failure(error, target, signal);
  } finally {
    connection.destroy();
  }
}

/** Without TLS a password or an alert is readable on the way: only to hosts that the configuration trusts. */
export function transportOptions(
  { smtp }: Pick<MailChannel, 'smtp'>,
  target: OutgoingTarget,
  { allowedHosts, ca }: Pick<SendOptions, 'allowedHosts' | 'ca'>,
) {
  const { username, password } = new URL(smtp);
  return {
    host: target.host,
    port: target.port,
    secure: target.isSecure,
    requireTLS: !isAllowedByName(allowedHosts, target),
    ...(username === ''
      ? {}
      : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    tls: { ca },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** Aborting the signal destroys the connection, also while nodemailer uses it. */
function openConnection(
  target: OutgoingTarget,
  addresses: LookupAddress[],
  signal: AbortSignal,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({
      host: target.host,
      port: target.port,
      signal,
      autoSelectFamily: true,
      lookup: lookupOf(addresses),
    });
    socket.once('connect', () => {
      socket.removeListener('error', refuse);
      resolve(socket);
    });
    const refuse = (cause: Error) => reject(unreachable(cause, target, signal));
    socket.once('error', refuse);
  });
}

/** Replies of mail servers can quote addresses, so only their number is told. */
function failure(cause: unknown, target: OutgoingTarget, signal: AbortSignal): AlertSendError {
  const status =
    cause instanceof Error && 'responseCode' in cause && typeof cause.responseCode === 'number'
      ? cause.responseCode
      : null;
  if (status === null) return unreachable(cause, target, signal);
  // The password may be about to change, here or there: the next attempt takes the one of then.
  if (status === 535 || status === 534)
    return new AlertSendError(
      `${hostText(target)} refuses user or password (${status}): smtp of the channel in REDRIVE_ALERTS.`,
      { cause },
    );
  return new AlertSendError(`${hostText(target)} refuses the mail (${status}).`, {
    isFinal: status >= 500,
    cause,
  });
}
