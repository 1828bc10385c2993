/** What consoles and users do with alerts. */
import type { Alert, Silence, SilenceRequest } from '@/lib/contract/alerts/alert-schemas';
import type { StoredAlert, StoredMessage } from '@/lib/contract/alerts/alert-storage';
import { noSuchAlert, noSuchSilence } from '@/lib/contract/not-found-errors';
import { reusedKey } from '@/lib/contract/reused-key-error';
import type { Actor } from '../access/actor';
import { changeText } from '../audit/change-text';
import { idFrom, timeOrderedId } from '../jobs/job-id';
import type { BrokerContext } from '../redis/broker-context';
import { isSameJson } from '../redis/parse-json';
import {
  type AlertLook,
  type AlertReceiver,
  type AlertRules,
  advanceAlerts,
  messagesFor,
} from './advance-alerts';
import { NEW_STATUS, shownAlert, silenceOf } from './alert-records';
import {
  changeAlerts,
  expiredSilences,
  type ReadAlerts,
  readAlerts,
  standingSilences,
  withRemovals,
  writeAlerts,
} from './alert-state';

/** Another console that was without Redis, or that lost its data, recorded the same a moment ago: it is among so many. */
export const RECENT_ALERTS = 50;

export const waiting = (message: StoredMessage) => ({
  message,
  status: { ...NEW_STATUS, nextAt: message.at },
});

export interface AlertAdvance {
  /** False: another console looked later, or changed something at the same time; the next look catches up. */
  readonly advanced: boolean;
  /** Messages that wait to be sent now. */
  readonly messages: number;
}

/** One look at the findings. Any number of consoles may: each alert fires once. */
export async function lookAtFindings(
  ctx: BrokerContext,
  look: AlertLook,
  rules: AlertRules,
  channels: readonly AlertReceiver[],
): Promise<AlertAdvance> {
  const state = await readAlerts(ctx);
  if (look.at < state.lookAt) return { advanced: false, messages: 0 };
  const { live, removed, ended, messages } = advanceAlerts(state, look, rules, channels, timeOrderedId);
  const writes = {
    live,
    removed,
    ended,
    messages: messages.map(waiting),
    endedSilences: expiredSilences(state),
  };
  const advanced = await writeAlerts(ctx, state.version, writes, { lookAt: look.at });
  return { advanced, messages: advanced ? messages.length : 0 };
}

/** A user takes care of it. @param may throws if the user must not @throws RedriveError ALERT_NOT_FOUND */
export const acknowledgeAlert = (
  ctx: BrokerContext,
  id: string,
  note: string | null,
  by: Actor,
  may: (alert: Alert) => void = () => {},
): Promise<Alert> =>
  changeAlerts(ctx, (state) => {
    const before = state.live.find((alert) => alert.id === id && alert.state === 'firing');
    if (!before) throw noSuchAlert(id);
    may(shownAlert(before));
    const alert: StoredAlert = { ...before, acknowledged: { at: state.now, actor: by.actor, note } };
    const told = Object.keys(alert.told?.channels ?? {}).map((name) => [name, 'acknowledged'] as const);
    // The same again changes the note, and no receiver is told twice.
    const messages = before.acknowledged ? [] : messagesFor(alert, told, state.now, timeOrderedId);
    return {
      writes: { live: [alert], messages: messages.map(waiting) },
      audit: { action: 'alert.acknowledge', by, kind: 'alert', id, after: changeText(alert.code) },
      result: shownAlert(alert),
    };
  });

/**
 * One silence stands for a code and a queue: silenced again, it lasts longer, under the latest reason.
 * @param by one idempotency key makes one silence @throws RedriveError ID_CONFLICT | LIMIT_REACHED
 */
export const silenceAlerts = (
  ctx: BrokerContext,
  request: SilenceRequest,
  by: Actor,
  intent?: string,
): Promise<Silence> =>
  changeAlerts(ctx, (state) => {
    const { reason, forMs } = request;
    const [code, queue] = [request.code ?? null, request.queue ?? null];
    const id = intent === undefined ? timeOrderedId() : idFrom('silence', intent);
    const standing = standingSilences(state);
    const resent = standing.find((silence) => silence.id === id);
    if (resent) {
      const given = [code, queue, reason, resent.at + forMs];
      if (!isSameJson(given, [resent.code, resent.queue, resent.reason, resent.until]))
        throw reusedKey('silence');
      return { writes: {}, result: resent };
    }
    const before = standing.find((silence) => silence.code === code && silence.queue === queue);
    const silence: Silence = {
      id: before?.id ?? id,
      code,
      queue,
      reason,
      actor: by.actor,
      at: state.now,
      until: Math.max(before?.until ?? 0, state.now + forMs),
    };
    const others = standing.filter((one) => one.id !== silence.id);
    return {
      writes: {
        silences: [silence],
        endedSilences: expiredSilences(state),
        silencedBy: before ? undefined : by,
        live: withSilences(state, [...others, silence]),
      },
      audit: {
        action: 'alert.silence',
        by,
        kind: 'silence',
        id: silence.id,
        queue,
        before: before && wordsOf(before),
        after: wordsOf(silence),
      },
      result: silence,
    };
  });

/** @param may throws if the user must not @throws RedriveError SILENCE_NOT_FOUND */
export const removeSilence = (
  ctx: BrokerContext,
  id: string,
  by: Actor,
  may: (silence: Silence) => void = () => {},
): Promise<void> =>
  changeAlerts(ctx, (state) => {
    const silence = standingSilences(state).find((one) => one.id === id);
    if (!silence) throw noSuchSilence(id);
    may(silence);
    const rest = state.silences.filter((one) => one.id !== id);
    return {
      writes: {
        endedSilences: [id],
        removedIds: withRemovals(state, [id]),
        live: withSilences(state, rest),
      },
      audit: {
        action: 'alert.unsilence',
        by,
        kind: 'silence',
        id,
        queue: silence.queue,
        before: wordsOf(silence),
      },
      result: undefined,
    };
  });

const wordsOf = ({ code, queue, until }: Silence): string =>
  changeText(JSON.stringify({ code, queue, until }));

/** Alerts whose silence changes, so that lists show it before the next look. */
const withSilences = (state: ReadAlerts, silences: readonly Silence[]): StoredAlert[] =>
  state.live.flatMap((alert) => {
    const silencedBy = silenceOf(alert, silences, state.now);
    return silencedBy === alert.silencedBy ? [] : [{ ...alert, silencedBy }];
  });
