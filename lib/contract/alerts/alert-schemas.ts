/** Alerts: findings of the verdict that last. The HTTP API answers with these shapes. */
import { z } from 'zod';
import { nameSchema, queueNameSchema, reasonSchema } from '../name-schemas';
import { evidenceSchema } from '../queues/queue-schemas';
import { pageQuerySchema } from '../request-schemas';
import {
  ALERT_EVENTS,
  ALERT_STATES,
  CHANNEL_KINDS,
  CHANNEL_SOURCES,
  DELIVERY_STATES,
  SILENCE_MAX_MS,
} from './alert-limits';

/** The code of a finding: `FAILING`. */
export const alertCodeSchema = z
  .string()
  .regex(/^[A-Z][A-Z_]{1,39}$/, 'must be the code of a finding, such as FAILING')
  .describe('Code of a finding');
const levelSchema = z.enum(['warn', 'bad']);

export const alertSchema = z.object({
  /** Of this occurrence; the same trouble on another day has another one. */
  id: z.string(),
  code: alertCodeSchema,
  state: z.enum(ALERT_STATES),
  /** While it stands the level now; afterwards the worst. */
  level: levelSchema,
  /** The finding's sentence, as last seen; afterwards as it was worst, with its queues and evidence. */
  sentence: z.string(),
  /** The same when it fired: numbers may have changed since. Left out before that, and by 0.2.0. */
  firedSentence: z.string().optional(),
  /** All queues it is about; the first by name are named. */
  queues: z.object({ total: z.number(), named: z.array(z.string()) }),
  evidence: evidenceSchema.nullable(),
  /** Server times (ms since 1970). `firedAt` null: people were not told. */
  seenAt: z.number(),
  firedAt: z.number().nullable(),
  endedAt: z.number().nullable(),
  /** The finding of a firing alert stands no longer since `at`: unless it comes back, the alert ends at `endsAt`. Null: it stands. */
  over: z.object({ at: z.number(), endsAt: z.number() }).nullish(),
  acknowledged: z.object({ at: z.number(), actor: z.string(), note: z.string().nullable() }).nullable(),
  /** The silence that keeps it from being sent; null: none. */
  silencedBy: z.string().nullable(),
});
export type Alert = z.infer<typeof alertSchema>;

export const silenceSchema = z.object({
  id: z.string(),
  /** Null: all codes. */
  code: alertCodeSchema.nullable(),
  /** Null: all queues, and alerts about none. */
  queue: z.string().nullable(),
  reason: z.string(),
  actor: z.string(),
  at: z.number(),
  until: z.number(),
});
export type Silence = z.infer<typeof silenceSchema>;

export const silenceRequestSchema = z
  .strictObject({
    code: alertCodeSchema.optional(),
    queue: queueNameSchema.optional(),
    reason: reasonSchema,
    /** From now on. */
    forMs: z
      .number()
      .int()
      .min(60_000, 'must be at least a minute')
      .max(SILENCE_MAX_MS, 'must be at most 30 days'),
  })
  .refine(({ code, queue }) => code !== undefined || queue !== undefined, {
    message: 'name a code, a queue or both: a silence of everything would hide every alert',
    path: ['code'],
  });
export type SilenceRequest = z.output<typeof silenceRequestSchema>;

export const acknowledgeRequestSchema = z.strictObject({ note: reasonSchema.optional() });

/** A channel, as configured, without its secrets. */
export const channelSchema = z.object({
  name: nameSchema,
  kind: z.enum(CHANNEL_KINDS),
  /** Host of its address, or the receivers of a mail. Addresses can hold secrets. */
  target: z.string(),
  levels: z.array(levelSchema),
  /** Null: all. */
  codes: z.array(z.string()).nullable().default(null),
  queues: z.array(z.string()).nullable().default(null),
  /** Of mails and of heartbeats; null: of other kinds. */
  from: z.string().nullable().default(null),
  to: z.array(z.string()).nullable().default(null),
  everySeconds: z.number().nullable().default(null),
  /** Only what comes from the console can be changed there. */
  source: z.enum(CHANNEL_SOURCES).default('environment'),
  /** Why nothing is sent to it; null: messages are sent. */
  problem: z.string().nullable().default(null),
  /** Its latest attempt; null: none yet. */
  latest: z
    .object({ at: z.number(), state: z.enum(DELIVERY_STATES), error: z.string().nullable() })
    .nullable(),
});
export type Channel = z.infer<typeof channelSchema>;

/** How long a finding of a code must stand, if it is bad and if it is a warning; null: it never becomes an alert. */
export const alertRuleSchema = z.object({
  code: alertCodeSchema,
  forMs: z.number().nullable(),
  forWarnMs: z.number().nullable(),
});
export type AlertRule = z.infer<typeof alertRuleSchema>;

export const alertsSchema = z.object({
  at: z.number(),
  /** False: Redis could not be read; these are the alerts this console sends by itself. */
  fresh: z.boolean(),
  /** Pending and firing ones, the worst first. */
  live: z.array(alertSchema),
  silences: z.array(silenceSchema),
  channels: z.array(channelSchema),
  rules: z.array(alertRuleSchema),
});
export type Alerts = z.infer<typeof alertsSchema>;

export const endedAlertsQuerySchema = pageQuerySchema.strict();
export const endedAlertsSchema = z.object({
  alerts: z.array(alertSchema),
  nextCursor: z.string().nullable(),
});
export type EndedAlerts = z.infer<typeof endedAlertsSchema>;

/** One message to one channel. Receivers can see the same message twice, and know it by `id`. */
export const deliverySchema = z.object({
  id: z.string(),
  alertId: z.string(),
  code: alertCodeSchema,
  event: z.enum(ALERT_EVENTS),
  /** Null: the reader does not see all queues, and so no channels. */
  channel: nameSchema.nullable(),
  state: z.enum(DELIVERY_STATES),
  attempts: z.number(),
  at: z.number(),
  /** Of the latest attempt; null: none yet. */
  attemptAt: z.number().nullable(),
  nextAt: z.number().nullable(),
  /** Null: none, or the reader does not see all queues: an error may name the receiver. */
  error: z.string().nullable(),
});
export type Delivery = z.infer<typeof deliverySchema>;

export const deliveriesQuerySchema = pageQuerySchema
  .extend({ alertId: z.string().max(80).optional() })
  .strict();
export const deliveriesSchema = z.object({
  deliveries: z.array(deliverySchema),
  nextCursor: z.string().nullable(),
});
export type Deliveries = z.infer<typeof deliveriesSchema>;

/** What a channel is told. */
export interface AlertMessage {
  /** Of this message, the same at every attempt. */
  readonly id: string;
  readonly event: (typeof ALERT_EVENTS)[number];
  readonly at: number;
  readonly alert: Alert;
  /** The page that shows the cause, and that of the alert. */
  readonly link: string;
  readonly alertsLink: string;
  /** REDRIVE_ENVIRONMENT; null: not set. */
  readonly environment: string | null;
}
