/** Channels that administrators made in the console. Their addresses and keys are a text that only consoles can read. */
import { CHANNELS_MAX } from '@/lib/contract/alerts/alert-limits';
import {
  type StoredAlert,
  type StoredChannel,
  storedChannelSchema,
} from '@/lib/contract/alerts/alert-storage';
import { noSuchChannel } from '@/lib/contract/not-found-errors';
import { RedriveError } from '@/lib/contract/redrive-error';
import { reusedKey } from '@/lib/contract/reused-key-error';
import type { Actor } from '../access/actor';
import { changeText } from '../audit/change-text';
import type { BrokerContext } from '../redis/broker-context';
import { isSameJson, parseJsonRow } from '../redis/parse-json';
import { changeAlerts, withRemovals } from './alert-state';
import { dropMessages } from './deliver-messages';

/** By name. */
export async function readMadeChannels(ctx: BrokerContext): Promise<StoredChannel[]> {
  const rows = await ctx.plain((redis) => redis.hvals(ctx.keys.global('alertsMade')));
  return rows
    .flatMap((row) => parseJsonRow(storedChannelSchema, row) ?? [])
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * @param isSame whether the channel that the same intent made is this one: secrets are encrypted anew each time
 * @returns what is stored: of the same intent the first @throws RedriveError CHANNEL_EXISTS | ID_CONFLICT | LIMIT_REACHED
 */
export const addChannel = (
  ctx: BrokerContext,
  channel: StoredChannel,
  by: Actor,
  isSame: (stored: StoredChannel) => boolean = (stored) => stored.secrets === channel.secrets,
): Promise<StoredChannel> =>
  changeAlerts(ctx, async () => {
    const made = await readMadeChannels(ctx);
    const resent = made.find(({ intent }) => intent !== null && intent === channel.intent);
    if (resent && !isSame(resent)) throw reusedKey('channel');
    if (resent) return { writes: {}, result: resent };
    if (made.some(({ name }) => name === channel.name)) throw channelExists(channel.name);
    if (made.length >= CHANNELS_MAX)
      throw new RedriveError(
        'LIMIT_REACHED',
        `There are ${CHANNELS_MAX} channels made in the console, as many as there may be. Remove one that is no longer needed.`,
      );
    return {
      writes: { channels: [channel] },
      audit: { action: 'alert.channel-add', by, kind: 'channel', id: channel.name, after: wordsOf(channel) },
      result: channel,
    };
  });

/** @param change what becomes of it, from the row that is replaced @throws RedriveError CHANNEL_NOT_FOUND */
export const changeChannel = (
  ctx: BrokerContext,
  name: string,
  change: (before: StoredChannel) => StoredChannel,
  by: Actor,
): Promise<StoredChannel> =>
  changeAlerts(ctx, async () => {
    const before = (await readMadeChannels(ctx)).find((channel) => channel.name === name);
    if (!before) throw noSuchChannel(name);
    const channel = change(before);
    const isNew = before.secrets !== channel.secrets;
    return {
      writes: { channels: [channel] },
      audit: {
        action: 'alert.channel-change',
        by,
        kind: 'channel',
        id: name,
        before: wordsOf(before),
        after: wordsOf(channel, isNew ? 'changed' : 'as before'),
      },
      result: channel,
    };
  });

/**
 * The same channel with its secrets stored in another way, unless a user or another console changed them meanwhile.
 * @returns false: they were changed
 */
export const replaceSecrets = (
  ctx: BrokerContext,
  row: StoredChannel,
  secrets: string,
  by: Actor,
): Promise<boolean> =>
  changeAlerts(ctx, async () => {
    const before = (await readMadeChannels(ctx)).find(({ name }) => name === row.name);
    if (!before || !isSameJson(before, row)) return { writes: {}, result: false };
    const channel = { ...before, secrets };
    return {
      writes: { channels: [channel] },
      audit: {
        action: 'alert.channel-change',
        by,
        kind: 'channel',
        id: row.name,
        before: wordsOf(before, 'readable'),
        after: wordsOf(channel, 'encrypted'),
      },
      result: true,
    };
  });

/**
 * A later channel of the same name gets the alerts that stand, and no message of the removed channel.
 * @returns its id @throws RedriveError CHANNEL_NOT_FOUND
 */
export async function removeChannel(ctx: BrokerContext, name: string, by: Actor): Promise<string> {
  const id = await changeAlerts(ctx, async (state) => {
    const before = (await readMadeChannels(ctx)).find((channel) => channel.name === name);
    if (!before) throw noSuchChannel(name);
    return {
      writes: {
        removedChannels: [name],
        removedIds: withRemovals(state, [channelId(before)]),
        live: withoutChannel(state.live, name),
      },
      audit: { action: 'alert.channel-remove', by, kind: 'channel', id: name, before: wordsOf(before) },
      result: channelId(before),
    };
  });
  await dropMessages(ctx, name);
  return id;
}

export const channelId = ({ id, name }: StoredChannel): string => id ?? name;

/** The alerts of which the channel got a message, without it. */
const withoutChannel = (live: readonly StoredAlert[], name: string): StoredAlert[] =>
  live.flatMap((alert) => {
    if (!alert.told || !Object.hasOwn(alert.told.channels, name)) return [];
    const { [name]: _, ...channels } = alert.told.channels;
    return [{ ...alert, told: { ...alert.told, channels } }];
  });

export const channelExists = (name: string): RedriveError =>
  new RedriveError(
    'CHANNEL_EXISTS',
    `There is a channel ${name} already. Choose another name, or change that channel.`,
    {
      fields: [{ field: 'channel.name', message: 'is the name of another channel' }],
    },
  );

/** Never the secrets: only whether they changed. */
const wordsOf = (
  { secrets: _, intent: __, name: ___, id: ____, ...shown }: StoredChannel,
  secrets?: string,
): string =>
  changeText(
    JSON.stringify({
      ...Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== null)),
      ...(secrets === undefined ? {} : { secrets }),
    }),
  );
