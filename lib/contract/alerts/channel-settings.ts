/** The settings of channels, whether they come from the environment or from the console. Messages name the field, never the value: addresses are secrets. */
import { z } from 'zod';
import { queuePatternSchema } from '../access/grant-schemas';
import { nameSchema, reasonSchema } from '../name-schemas';
import { wholeText } from '../whole-text';
import { CHANNEL_KINDS } from './alert-limits';
import { alertCodeSchema } from './alert-schemas';
import { targetOf } from './outgoing-target';

/** A bare % in a password stands for nothing. */
function isDecodable(part: string): boolean {
  try {
    return decodeURIComponent(part) !== null;
  } catch {
    return false;
  }
}

const bareAddress = (schemes: RegExp, credentials: boolean, rule: string) =>
  z
    .string(rule)
    .max(2_000, 'must have at most 2000 characters')
    .refine((text) => {
      if (targetOf(text) === null) return false;
      const { protocol, username, password } = new URL(text);
      if (!isDecodable(username) || !isDecodable(password)) return false;
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
  'must be like smtps://user:password@mail.example.com:465, or smtp:// for a server with STARTTLS; write %25 for a % in user or password',
);

const levelsSchema = z
  .array(z.enum(['warn', 'bad'], 'must be warn or bad'))
  .min(1, 'name warn, bad or both')
  .max(2);
const codesOf = (code: z.ZodType<string, string>) => z.array(code).min(1, 'name at least one code').max(50);
const queuesSchema = z.array(queuePatternSchema).min(1, 'name at least one queue').max(50);
export const seconds = (from: number, to: number) =>
  z
    .number(`must be a number from ${from} to ${to}`)
    .min(from, `must be at least ${from}`)
    .max(to, `must be at most ${to}`);
const MAIL_RULE = 'must be a mail address, such as oncall@example.com';
// As `z.email`, without the word `format`, which strict readers of the OpenAPI description refuse.
const mailAddressSchema = z.string(MAIL_RULE).max(254, MAIL_RULE).regex(z.regexes.email, MAIL_RULE);
const receiversSchema = z
  .array(mailAddressSchema)
  .min(1, 'name at least one receiver')
  .max(20, 'at most 20 receivers');
const everySecondsSchema = seconds(10, 3_600);
/** Key of the signature. */
const signingSecretSchema = wholeText(
  'must be a random text of 16 characters or more, which the receiver knows, too',
)
  .min(16, 'must have at least 16 characters')
  .max(500, 'must have at most 500 characters');
const ROUTING_KEY_RULE = 'must be the integration key of 32 letters and digits';
const routingKeySchema = z.string(ROUTING_KEY_RULE).regex(/^[A-Za-z0-9]{32}$/, ROUTING_KEY_RULE);

/** @param code what may name a finding */
export function channelSettingsOf(code: z.ZodType<string, string>) {
  /** Which alerts a channel gets; all of them unless told. */
  const filter = {
    levels: levelsSchema.default(['warn', 'bad']),
    codes: codesOf(code).optional(),
    queues: queuesSchema.optional(),
  };
  const of = <Kind extends string>(kind: Kind) => ({ name: nameSchema, kind: z.literal(kind) });
  return z.discriminatedUnion(
    'kind',
    [
      z.strictObject({ ...of('webhook'), url: webAddressSchema, secret: signingSecretSchema, ...filter }),
      z.strictObject({ ...of('slack'), url: webAddressSchema, ...filter }),
      z.strictObject({ ...of('teams'), url: webAddressSchema, ...filter }),
      z.strictObject({
        ...of('pagerduty'),
        routingKey: routingKeySchema,
        url: webAddressSchema.default('https://events.pagerduty.com/v2/enqueue'),
        ...filter,
      }),
      z.strictObject({
        ...of('email'),
        smtp: mailServerSchema,
        from: mailAddressSchema,
        to: receiversSchema,
        ...filter,
      }),
      z.strictObject({
        ...of('heartbeat'),
        url: webAddressSchema,
        everySeconds: everySecondsSchema.default(60),
      }),
    ],
    `must be one of ${CHANNEL_KINDS.join(', ')}`,
  );
}

const channelSettingsSchema = channelSettingsOf(alertCodeSchema);
export type ChannelSettings = z.output<typeof channelSettingsSchema>;

export const channelRequestSchema = z.strictObject({
  channel: channelSettingsSchema,
  reason: reasonSchema.optional(),
});
export type ChannelRequest = z.input<typeof channelRequestSchema>;

/** What is left out stays as it is, secrets among it; null: all codes, all queues. Kind and name stay. */
export const channelPatchSchema = z.strictObject({
  channel: z
    .strictObject({
      url: webAddressSchema.optional(),
      secret: signingSecretSchema.optional(),
      routingKey: routingKeySchema.optional(),
      smtp: mailServerSchema.optional(),
      from: mailAddressSchema.optional(),
      to: receiversSchema.optional(),
      everySeconds: everySecondsSchema.optional(),
      levels: levelsSchema.optional(),
      codes: codesOf(alertCodeSchema).nullable().optional(),
      queues: queuesSchema.nullable().optional(),
    })
    .refine((channel) => Object.values(channel).some((value) => value !== undefined), {
      message: 'name at least one field to change',
    }),
  reason: reasonSchema.optional(),
});
export type ChannelPatch = z.input<typeof channelPatchSchema>;
