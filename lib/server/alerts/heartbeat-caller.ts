/**
 * Heartbeats: addresses that are called while all is well, so that a service outside notices when nothing calls any more. Whether all is
 * well, and which console calls, is the caller's to know.
 */
import type { HeartbeatChannel } from '../settings/alert-config-schema';
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

/** @param channels those of the moment @param send calls one address, with a deadline */
export function createHeartbeats(
  channels: () => readonly HeartbeatChannel[],
  send: (channel: HeartbeatChannel) => Promise<void>,
): Heartbeats {
  const dueAt = new Map<string, number>();
  const call = async (channel: HeartbeatChannel, now: number): Promise<HeartbeatCall> => {
    const everyMs = channel.everySeconds * 1_000;
    // Set before the call: another round that begins meanwhile leaves it alone.
    dueAt.set(channel.name, now + everyMs);
    try {
      await send(channel);
      return { channel: channel.name, at: now, error: null };
    } catch (error) {
      dueAt.set(channel.name, now + Math.min(everyMs, RETRY_MS));
      const sentence = error instanceof AlertSendError ? error.message : 'The call failed.';
      return { channel: channel.name, at: now, error: sentence };
    }
  };
  return {
    callDue(now) {
      const all = channels();
      for (const name of dueAt.keys()) if (!all.some((channel) => channel.name === name)) dueAt.delete(name);
      const due = all.filter(({ name }) => (dueAt.get(name) ?? now) <= now);
      return Promise.all(due.map((channel) => call(channel, now)));
    },
  };
}
