/** Alerts and messages as they are stored: JSON that scripts keep and never read. */
import { z } from 'zod';
import { nameSchema } from '../name-schemas';
import { DELIVERY_STATES } from './alert-limits';
import { alertSchema, channelSchema, deliverySchema } from './alert-schemas';

/** What receivers were told last, so that the next message says what is new. */
const toldSchema = z.object({
  level: alertSchema.shape.level,
  queues: alertSchema.shape.queues,
  at: z.number(),
  /** Channel → id of its latest delivery, which the next one follows. */
  channels: z.record(z.string(), z.string()),
});

/** A live alert: pending or firing. */
export const storedAlertSchema = alertSchema.extend({
  /** The worst level so far. */
  worst: alertSchema.shape.level,
  /** What the finding said when it was worst; null, or left out by 0.2.0: what it says now. */
  peak: alertSchema.pick({ level: true, sentence: true, queues: true, evidence: true }).nullish(),
  /** Since when its level has been bad without a break; null: it is not. */
  badSince: z.number().nullable(),
  /** The first look without its finding; null: the finding stands. */
  goneAt: z.number().nullable(),
  told: toldSchema.nullable(),
});
export type StoredAlert = z.infer<typeof storedAlertSchema>;

/** A message, which never changes. */
export const storedMessageSchema = deliverySchema.pick({ id: true, event: true, at: true }).extend({
  channel: nameSchema,
  /** Of the same alert and channel, to be sent before; null: none. */
  after: z.string().nullable(),
  alert: alertSchema,
});
export type StoredMessage = z.infer<typeof storedMessageSchema>;

/** How far a message got. */
export const deliveryStatusSchema = deliverySchema
  .pick({ attempts: true, attemptAt: true, nextAt: true, error: true })
  .extend({
    state: z.enum(DELIVERY_STATES),
    /** Of the console that sends it now: only with it may the result be recorded. */
    token: z.string().nullable(),
  });
export type DeliveryStatus = z.infer<typeof deliveryStatusSchema>;

/** A channel that was made in the console. */
export const storedChannelSchema = channelSchema
  .pick({ name: true, kind: true, target: true, levels: true, codes: true, queues: true })
  .extend(channelSchema.pick({ from: true, to: true, everySeconds: true }).shape)
  .extend({
    /** Of this channel among all that had its name. Left out by 0.2.0. */
    id: z.string().optional(),
    /** JSON of its addresses and keys; encrypted if the consoles have a key. */
    secrets: z.string(),
    /** Of the request that made it, so that a resend finds it. */
    intent: z.string().nullable(),
  });
export type StoredChannel = z.infer<typeof storedChannelSchema>;
