/** The form of REDRIVE_ALERTS: channels, and how long findings must stand. Its messages name the field, never the value: addresses are secrets. */
import { isIP } from 'node:net';
import { z } from 'zod';
import { CHANNELS_MAX } from '@/lib/contract/alerts/alert-limits';
import { channelSettingsOf, seconds } from '@/lib/contract/alerts/channel-settings';
import { FINDING_CODES } from '@/lib/contract/alerts/finding-codes';
import {
  hostText,
  isAllowedByName,
  type OutgoingTarget,
  targetOf,
} from '@/lib/contract/alerts/outgoing-target';
import { isPublicAddress } from './public-address';

/** Ends the sentence "it must be …". */
export const ALERT_CONFIG_FORM = '{"channels": [{"name", "kind", …}]} as docs/operate/alerts.md describes it';

const CODE_RULE = `must be the code of a finding: ${FINDING_CODES.join(', ')}`;
/** A misspelled code would have no effect. */
const codeSchema = z.string(CODE_RULE).refine((code) => FINDING_CODES.includes(code), CODE_RULE);

export const configuredChannelSchema = channelSettingsOf(codeSchema);
/** A channel with its secrets. */
export type ConfiguredChannel = z.output<typeof configuredChannelSchema>;
/** One that alerts are sent to. */
export type AlertChannel = Exclude<ConfiguredChannel, { kind: 'heartbeat' }>;
export type HeartbeatChannel = Extract<ConfiguredChannel, { kind: 'heartbeat' }>;

const ruleSchema = z.union(
  [z.strictObject({ off: z.literal(true) }), z.strictObject({ forSeconds: seconds(0, 86_400) })],
  'must be {"off": true} or {"forSeconds": 0 to 86400}',
);

/** The only address that a channel has. */
export const addressOf = (channel: ConfiguredChannel): string =>
  channel.kind === 'email' ? channel.smtp : channel.url;

/** Ends a sentence about a host that is not allowed. */
export const allowHint = (target: OutgoingTarget): string =>
  `If that is right, add "${hostText(target)}" to allowedHosts`;

export const alertConfigSchema = z
  .strictObject({
    channels: z
      .array(configuredChannelSchema)
      .max(CHANNELS_MAX, `at most ${CHANNELS_MAX} channels`)
      .default([]),
    rules: z
      .record(codeSchema, ruleSchema, {
        error: ({ code }) => (code === 'invalid_key' ? CODE_RULE : undefined),
      })
      .default({}),
    /** An alert ends when its finding has not stood for so long. */
    resolveAfterSeconds: seconds(5, 3_600).default(60),
    /** Hosts, or hosts with their port, that may have private addresses and may be reached without TLS. */
    allowedHosts: z
      .array(
        z
          .string()
          .transform((host) => host.toLowerCase())
          .pipe(
            z
              .string()
              .regex(
                /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/,
                'must be a host or a host with its port, such as hooks.internal or 127.0.0.1:9093',
              ),
          ),
      )
      .max(50, 'at most 50 hosts')
      .default([]),
  })
  .superRefine(({ channels, allowedHosts }, ctx) => {
    const names = channels.map(({ name }) => name);
    for (const [index, channel] of channels.entries()) {
      if (names.indexOf(channel.name) !== index)
        ctx.addIssue({
          code: 'custom',
          path: ['channels', index, 'name'],
          message: 'must differ from the names of the other channels',
        });
      const problem = targetProblem(channel, allowedHosts);
      if (problem !== null)
        ctx.addIssue({
          code: 'custom',
          path: ['channels', index, addressField(channel)],
          message: problem,
        });
    }
  });
export type AlertConfig = z.output<typeof alertConfigSchema>;

/** The field of the address of a channel. */
export const addressField = ({ kind }: ConfiguredChannel): 'smtp' | 'url' =>
  kind === 'email' ? 'smtp' : 'url';

/** What the address itself says, without a name server; null: nothing wrong. */
export function targetProblem(channel: ConfiguredChannel, allowedHosts: readonly string[]): string | null {
  const address = addressOf(channel);
  const target = targetOf(address);
  if (target === null || isAllowedByName(allowedHosts, target)) return null;
  if (address.toLowerCase().startsWith('http:'))
    return `must begin with https://. ${allowHint(target).replace('that is right', 'the network is trusted')}`;
  if (isIP(target.host) !== 0 && !isPublicAddress(target.host))
    return `is an address that is not public. ${allowHint(target)}`;
  return null;
}
