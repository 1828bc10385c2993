/** Channels of the console as this process knows them: read from Redis every few seconds, and kept while Redis is away. */
import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { SYSTEM } from '@/lib/broker/access/actor';
import { isSameJson, parseJsonRow } from '@/lib/broker/redis/parse-json';
import { CHANNEL_SECRETS } from '@/lib/contract/alerts/alert-limits';
import type { Channel } from '@/lib/contract/alerts/alert-schemas';
import type { StoredChannel } from '@/lib/contract/alerts/alert-storage';
import type { ChannelPatch, ChannelRequest } from '@/lib/contract/alerts/channel-settings';
import { errorText } from '@/lib/contract/describe-error';
import { parseOrThrow } from '@/lib/contract/parse-or-throw';
import { RedriveError } from '@/lib/contract/redrive-error';
import { decryptText, encryptText } from '@/lib/process/text-cipher';
import { getBroker } from '../console-broker';
import { auditKeys } from '../secret-file';
import { addressField, configuredChannelSchema, targetProblem } from '../settings/alert-config-schema';
import { singleton } from '../singleton';
import { alertConfig, type ConfiguredChannel, channelTarget } from './alert-config';

const ENCRYPTED = 'x.';
const isSecret = (field: string): boolean => (CHANNEL_SECRETS as readonly string[]).includes(field);

/** Of all consoles with one REDRIVE_AUDIT_KEY: the first encrypts, and any decrypts. */
const cipherKeys = (): Buffer[] =>
  auditKeys().map((key) => createHmac('sha256', key).update('alert channels').digest());

/** The secrets of one channel are no secrets of another. */
const ownerOf = ({ name, kind }: Pick<StoredChannel, 'name' | 'kind'>): string => `${kind} ${name}`;

/** What Redis keeps of a channel. */
export function storeChannel(
  channel: ConfiguredChannel,
  { intent, id }: Pick<StoredChannel, 'intent' | 'id'>,
): StoredChannel {
  const secrets = Object.fromEntries(Object.entries(channel).filter(([field]) => isSecret(field)));
  return {
    ...shownSettings(channel),
    secrets: encryptSecrets(channel, secrets) ?? JSON.stringify(secrets),
    intent,
    id,
  };
}

/** Null: the consoles have no key. */
function encryptSecrets(
  channel: Pick<StoredChannel, 'name' | 'kind'>,
  secrets: Record<string, unknown>,
): string | null {
  const [key] = cipherKeys();
  return key ? ENCRYPTED + encryptText(JSON.stringify([ownerOf(channel), secrets]), key) : null;
}

/** Whether this channel is stored in the row. */
export function isStoredChannel(row: StoredChannel, channel: ConfiguredChannel): boolean {
  const stored = openChannel(row);
  return !('problem' in stored) && isSameJson(stored, channel);
}

/** What may be read of a channel, whatever its kind. */
export const shownSettings = (
  channel: ConfiguredChannel,
): Omit<StoredChannel, 'secrets' | 'intent' | 'id'> => ({
  name: channel.name,
  kind: channel.kind,
  target: channelTarget(channel),
  levels: 'levels' in channel ? [...channel.levels] : [],
  codes: ('levels' in channel && channel.codes) || null,
  queues: ('levels' in channel && channel.queues) || null,
  from: channel.kind === 'email' ? channel.from : null,
  to: channel.kind === 'email' ? channel.to : null,
  everySeconds: channel.kind === 'heartbeat' ? channel.everySeconds : null,
});

const UNREADABLE =
  'Its addresses and keys were stored with another REDRIVE_AUDIT_KEY. Change the channel and give them again.';

/** The channel with its secrets, or why nothing can be sent to it: one channel must not keep messages from the others. */
function openChannel(row: StoredChannel): ConfiguredChannel | { readonly problem: string } {
  try {
    const secrets = readSecrets(row);
    if (secrets === null) return { problem: UNREADABLE };
    return checkChannel(settingsOf(row, secrets));
  } catch (error) {
    return { problem: errorText(error) };
  }
}

const secretsSchema = z.record(z.string(), z.unknown());
const ownedSecretsSchema = z.tuple([z.string(), secretsSchema]);

/** Null: another key encrypted them, they are another channel's, or they are damaged. @throws Error when the key cannot be read */
function readSecrets(row: StoredChannel): Record<string, unknown> | null {
  if (!row.secrets.startsWith(ENCRYPTED)) return parseJsonRow(secretsSchema, row.secrets);
  const encrypted = row.secrets.slice(ENCRYPTED.length);
  for (const key of cipherKeys()) {
    const text = decryptText(encrypted, key);
    const [owner, secrets] = parseJsonRow(ownedSecretsSchema, text) ?? [];
    if (secrets && owner === ownerOf(row)) return secrets;
  }
  return null;
}

const SETTINGS = ['levels', 'codes', 'queues', 'from', 'to', 'everySeconds'] as const;
function settingsOf(row: StoredChannel, secrets: Record<string, unknown>): Record<string, unknown> {
  const shown = SETTINGS.flatMap((field) => {
    const value = row[field];
    return value === null || (field === 'levels' && row.kind === 'heartbeat') ? [] : [[field, value]];
  });
  return { name: row.name, kind: row.kind, ...Object.fromEntries(shown), ...secrets };
}

/** @throws RedriveError VALIDATION with the rules of the environment for channels */
export function checkChannel(
  settings: Record<string, unknown> | ChannelRequest['channel'],
): ConfiguredChannel {
  const { channel } = parseOrThrow(
    z.object({ channel: configuredChannelSchema }),
    { channel: settings },
    'channel',
  );
  const problem = targetProblem(channel, alertConfig().allowedHosts);
  if (problem === null) return channel;
  const field = `channel.${addressField(channel)}`;
  throw new RedriveError('VALIDATION', `channel is not valid: ${field}: ${problem}`, {
    fields: [{ field, message: problem }],
  });
}

/** The stored channel with the changes. @throws RedriveError VALIDATION */
export function patchChannel(before: StoredChannel, patch: ChannelPatch['channel']): StoredChannel {
  // An integration key is sent to the address: who may only change the address must not get to read the key.
  if (before.kind === 'pagerduty' && patch.url !== undefined && patch.routingKey === undefined)
    throw new RedriveError(
      'VALIDATION',
      'channel is not valid: channel.routingKey: give it again with a new address.',
      {
        fields: [{ field: 'channel.routingKey', message: 'give it again: it is sent to the new address' }],
      },
    );
  const settings = { ...settingsOf(before, readSecrets(before) ?? {}), ...patch };
  const given = Object.entries(settings).filter(([, value]) => value !== null && value !== undefined);
  const channel = checkChannel(Object.fromEntries(given));
  const after = storeChannel(channel, before);
  const isSame =
    CHANNEL_SECRETS.every((field) => patch[field] === undefined) &&
    before.secrets.startsWith(ENCRYPTED) === after.secrets.startsWith(ENCRYPTED);
  // Encrypted anew, the same secrets would look changed.
  return isSame ? { ...after, secrets: before.secrets } : after;
}

const BY_KEY = { ...SYSTEM, reason: 'The consoles have REDRIVE_AUDIT_KEY since.' };

class MadeChannels {
  private rows: readonly StoredChannel[] = [];
  private opened: readonly (ConfiguredChannel | { readonly problem: string })[] = [];

  /** Those that messages can be sent to. */
  get usable(): ConfiguredChannel[] {
    return this.opened.flatMap((channel) => ('problem' in channel ? [] : [channel]));
  }

  /** Without secrets. */
  shown(): Omit<Channel, 'latest'>[] {
    return this.rows.map(({ secrets, intent, id, ...row }, i) => {
      const channel = this.opened[i];
      return { ...row, source: 'console', problem: channel && 'problem' in channel ? channel.problem : null };
    });
  }

  /** Secrets that were stored before the consoles had a key. Any number of consoles may do so at once: each channel is changed once. */
  async encrypt(): Promise<void> {
    for (const row of await getBroker().alerts.made()) {
      if (row.secrets.startsWith(ENCRYPTED)) continue;
      const secrets = readSecrets(row);
      const encrypted = secrets && encryptSecrets(row, secrets);
      if (encrypted) await getBroker().alerts.replaceSecrets(row, encrypted, BY_KEY);
    }
    await this.refresh();
  }

  async refresh(): Promise<readonly StoredChannel[]> {
    this.know(await getBroker().alerts.made());
    return this.rows;
  }

  know(rows: readonly StoredChannel[]): void {
    // The environment wins: it was there first, or its administrator wants it so.
    const configured = new Set(alertConfig().channels.map(({ name }) => name));
    this.rows = rows.filter(({ name }) => !configured.has(name));
    this.opened = this.rows.map(openChannel);
  }
}

export const getMadeChannels = singleton('made-channels', () => new MadeChannels());

/** All that messages can be sent to: those of the environment first. */
export const alertChannels = (): ConfiguredChannel[] => [
  ...alertConfig().channels,
  ...getMadeChannels().usable,
];
