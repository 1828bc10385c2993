/** Channels that administrators made in the console. Their addresses and keys are a text that only consoles can read. */
import { CHANNELS_MAX } from '@/lib/contract/alerts/alert-limits';
import {
  type StoredAlert,
  type StoredChannel,
  storedChannelSchema,
} from '@/lib/contract/alerts/alert-storage';
import { noSuchChannel } from '@/lib/contract/not-found-errors';
import { RedriveError } from '@/lib/contract/redrive-error';
import type { Actor } from '../access/actor';
import { changeText } from '../audit/change-text';
import type { BrokerContext } from '../redis/broker-context';
import { parseJsonRow } from '../redis/parse-json';
import { changeAlerts } from './alert-state';
import { dropMessages } from './deliver-messages';

/** By name. */
export async function readMadeChannels(ctx: BrokerContext): Promise<StoredChannel[]> {
  const rows = await ctx.plain((redis) => redis.hvals(ctx.keys.global('alertsMade')));
  return rows
    .flatMap((row) => parseJsonRow(storedChannelSchema, row) ?? [])
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** @returns what is stored: of the same intent the first @throws RedriveError CHANNEL_EXISTS | LIMIT_REACHED */
export const addChannel = (ctx: BrokerContext, channel: StoredChannel, by: Actor): Promise<StoredChannel> =>
  changeAlerts(ctx, async () => {
    const made = await readMadeChannels(ctx);
    const taken = made.find(({ name }) => name === channel.name);
    if (taken && taken.intent !== null && taken.intent === channel.intent)
      return { writes: {}, result: taken };
    if (taken) throw channelExists(channel.name);
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

/** A later channel of the same name gets the alerts that stand, and no message of the removed channel. @throws RedriveError CHANNEL_NOT_FOUND */
export async function removeChannel(ctx: BrokerContext, name: string, by: Actor): Promise<void> {
  await changeAlerts(ctx, async ({ live }) => {
    const before = (await readMadeChannels(ctx)).find((channel) => channel.name === name);
    if (!before) throw noSuchChannel(name);
    return {
      writes: { removedChannels: [name], live: live.flatMap((alert) => withoutChannel(alert, name) ?? []) },
      audit: { action: 'alert.channel-remove', by, kind: 'channel', id: name, before: wordsOf(before) },
      result: undefined,
    };
  });
  await dropMessages(ctx, name);
}

/** Null: the channel got no message of the alert. */
function withoutChannel(alert: StoredAlert, name: string): StoredAlert | null {
  if (!alert.told || !Object.hasOwn(alert.told.channels, name)) return null;
  const { [name]: _, ...channels } = alert.told.channels;
  return { ...alert, told: { ...alert.told, channels } };
}

export const channelExists = (name: string): RedriveError =>
  new RedriveError(
    'CHANNEL_EXISTS',
    `There is a channel ${name} already. Choose another name, or change that channel.`,
    {
      fields: [{ field: 'channel.name', message: 'is the name of another channel' }],
    },
  );

/** Never the secrets: only whether they changed. */
const wordsOf = ({ secrets: _, intent: __, name: ___, ...shown }: StoredChannel, secrets?: string): string =>
  changeText(
    JSON.stringify({
      ...Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== null)),
      ...(secrets === undefined ? {} : { secrets }),
    }),
  );
