/** The form of REDRIVE_ALERTS: channels, and how long findings must stand. Its messages name the field, never the value: addresses are secrets. */
import { isIP } from 'node:net';
import { z } from 'zod';
import { queuePatternSchema } from '@/lib/contract/access/grant-schemas';
import { CHANNEL_KINDS, CHANNELS_MAX } from '@/lib/contract/alerts/alert-limits';
import { nameSchema } from '@/lib/contract/name-schemas';
import { FINDING_CODES } from '../live/verdict/finding-codes';
import { hostText, isAllowedByName, type OutgoingTarget, targetOf } from './outgoing-target';
import { isPublicAddress } from './public-address';

/** Ends the sentence "it must be …". */
export const ALERT_CONFIG_FORM = '{"channels": [{"name", "kind", …}]} as docs/operate/alerts.md describes it';

const bareAddress = (schemes: RegExp, credentials: boolean, rule: string) =>
  z
    .string(rule)
    .max(2_000, 'must have at most 2000 characters')
    .refine((text) => {
      if (targetOf(text) === null) return false;
      const { protocol, username, password } = new URL(text);
      return schemes.test(protocol) && (credentials || (username === '' && password === ''));
    }, rule);
const webAddressSchema = bareAddress(
  /^https?:$/,
  false,
  'must be an https:// address without a user name, such as https://hooks.example.com/redrive',
);
const mailServerSchema = bareAddress(
  /^smtps?:$/,
  true,
  'must be like smtps://user:password@mail.example.com:465, or smtp:// for a server with STARTTLS',
);

const CODE_RULE = `must be the code of a finding: ${FINDING_CODES.join(', ')}`;
/** A misspelled code would have no effect. */
const codeSchema = z.string(CODE_RULE).refine((code) => FINDING_CODES.includes(code), CODE_RULE);

/** Which alerts a channel gets; all of them unless told. */
const filter = {
  levels: z
    .array(z.enum(['warn', 'bad'], 'must be warn or bad'))
    .min(1, 'name warn, bad or both')
    .max(2)
    .default(['warn', 'bad']),
  codes: z.array(codeSchema).min(1, 'name at least one code').max(50).optional(),
  queues: z.array(queuePatternSchema).min(1, 'name at least one queue').max(50).optional(),
};
const seconds = (from: number, to: number) =>
  z
    .number(`must be a number from ${from} to ${to}`)
    .min(from, `must be at least ${from}`)
    .max(to, `must be at most ${to}`);
const mailAddressSchema = z.email('must be a mail address, such as oncall@example.com').max(254);

const channelSchema = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({
      name: nameSchema,
      kind: z.literal('webhook'),
      url: webAddressSchema,
      /** Key of the signature. */
      secret: z
        .string('must be a random text of 16 characters or more, which the receiver knows, too')
        .min(16, 'must have at least 16 characters')
        .max(500, 'must have at most 500 characters'),
      ...filter,
    }),
    z.strictObject({ name: nameSchema, kind: z.literal('slack'), url: webAddressSchema, ...filter }),
    z.strictObject({ name: nameSchema, kind: z.literal('teams'), url: webAddressSchema, ...filter }),
    z.strictObject({
      name: nameSchema,
      kind: z.literal('pagerduty'),
      routingKey: z
        .string('must be the integration key of 32 letters and digits')
        .regex(/^[A-Za-z0-9]{32}$/, 'must be the integration key of 32 letters and digits'),
      url: webAddressSchema.default('https://events.pagerduty.com/v2/enqueue'),
      ...filter,
    }),
    z.strictObject({
      name: nameSchema,
      kind: z.literal('email'),
      smtp: mailServerSchema,
      from: mailAddressSchema,
      to: z.array(mailAddressSchema).min(1, 'name at least one receiver').max(20, 'at most 20 receivers'),
      ...filter,
    }),
    z.strictObject({
      name: nameSchema,
      kind: z.literal('heartbeat'),
      url: webAddressSchema,
      everySeconds: seconds(10, 3_600).default(60),
    }),
  ],
  `must be one of ${CHANNEL_KINDS.join(', ')}`,
);
/** A channel with its secrets. */
export type ConfiguredChannel = z.output<typeof channelSchema>;
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
    channels: z.array(channelSchema).max(CHANNELS_MAX, `at most ${CHANNELS_MAX} channels`).default([]),
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
          path: ['channels', index, channel.kind === 'email' ? 'smtp' : 'url'],
          message: problem,
        });
    }
  });
export type AlertConfig = z.output<typeof alertConfigSchema>;

/** What the address itself says, without a name server; null: nothing wrong. */
function targetProblem(channel: ConfiguredChannel, allowedHosts: readonly string[]): string | null {
  const address = addressOf(channel);
  const target = targetOf(address);
  if (target === null || isAllowedByName(allowedHosts, target)) return null;
  if (address.toLowerCase().startsWith('http:'))
    return `must begin with https://. ${allowHint(target).replace('that is right', 'the network is trusted')}`;
  if (isIP(target.host) !== 0 && !isPublicAddress(target.host))
    return `is an address that is not public. ${allowHint(target)}`;
  return null;
}
