/**
 * Heartbeats: addresses that are called while all is well, so that a service outside notices when nothing calls any more. Whether all is
 * well, and which console calls, is the caller's to know.
 */
import type { HeartbeatChannel } from './alert-config-schema';
import { AlertSendError } from './alert-send-error';

/** After a failed call. */
const RETRY_MS = 10_000;

export interface HeartbeatCall {
  readonly channel: string;
  readonly at: number;
  /** A sentence; null: the receiver took the call. */
  readonly error: string | null;
}

export interface Heartbeats {
  /** Calls the addresses whose time has come, each at most once, and resolves with what came of it. */
  callDue(now: number): Promise<HeartbeatCall[]>;
}

/** @param send calls one address, with a deadline */
export function createHeartbeats(
  channels: readonly HeartbeatChannel[],
  send: (channel: HeartbeatChannel) => Promise<void>,
): Heartbeats {
  const dueAt = new Map<HeartbeatChannel, number>();
  const call = async (channel: HeartbeatChannel, now: number): Promise<HeartbeatCall> => {
    const everyMs = channel.everySeconds * 1_000;
    // Set before the call: another round that begins meanwhile leaves it alone.
    dueAt.set(channel, now + everyMs);
    try {
      await send(channel);
      return { channel: channel.name, at: now, error: null };
    } catch (error) {
      dueAt.set(channel, now + Math.min(everyMs, RETRY_MS));
      const sentence = error instanceof AlertSendError ? error.message : 'The call failed.';
      return { channel: channel.name, at: now, error: sentence };
    }
  };
  return {
    callDue: (now) =>
      Promise.all(
        channels.filter((channel) => (dueAt.get(channel) ?? now) <= now).map((channel) => call(channel, now)),
      ),
  };
}
