/** The four kinds of demo jobs: where they go, what their payload must be, and a plausible one. */
import { z } from 'zod';
import type { LAB_KINDS, LAB_QUEUES } from '../lib/contract/lab/lab-settings';
import { chance, pickOne, randomInteger } from './random-choice';

export type Kind = (typeof LAB_KINDS)[number];
export type LabQueue = keyof typeof LAB_QUEUES;

export const QUEUE_OF: Readonly<Record<Kind, LabQueue>> = {
  'invoice.issue': 'critical',
  'email.send': 'default',
  'webhook.deliver': 'default',
  'thumbnail.render': 'low',
};

/** Lenient, so that a job typed by hand in the console runs too. */
export const SCHEMAS = {
  'email.send': z.object({
    to: z.email('must be an email address'),
    template: z.string().default('plain'),
    locale: z.string().default('en'),
  }),
  'webhook.deliver': z.object({
    url: z.url('must be a URL'),
    event: z.string().default('ping'),
    body: z.unknown().optional(),
  }),
  'thumbnail.render': z.object({
    source: z.string().min(1),
    width: z.number().int().min(1).max(4_096).default(320),
    height: z.number().int().min(1).max(4_096).default(200),
    format: z.enum(['webp', 'avif', 'png', 'jpeg']).default('webp'),
  }),
  'invoice.issue': z.object({
    customer: z.string().min(1),
    currency: z.string().length(3, 'must be a three-letter code').default('EUR'),
    lines: z
      .array(z.object({ sku: z.string(), quantity: z.number().int().min(1), unitCents: z.number().int() }))
      .default([]),
  }),
} as const satisfies Record<Kind, z.ZodType>;

const PEOPLE = [
  'ada',
  'grace',
  'linus',
  'margaret',
  'edsger',
  'barbara',
  'donald',
  'radia',
  'ken',
  'frances',
];
const TEMPLATES = ['welcome', 'password-reset', 'receipt', 'weekly-digest', 'trial-ending', 'invite'];
const EVENTS = ['order.paid', 'order.shipped', 'user.created', 'subscription.renewed', 'refund.issued'];
const SKUS = ['seat-team', 'seat-business', 'storage-100gb', 'support-gold', 'api-calls-1m'];

export function payloadFor(kind: Kind, tenant: string, random: () => number): object {
  switch (kind) {
    case 'email.send':
      return {
        to: `${pickOne(PEOPLE, random)}@${tenant}.example`,
        template: pickOne(TEMPLATES, random),
        locale: pickOne(['en', 'de', 'fr', 'nl'], random),
      };
    case 'webhook.deliver':
      return {
        url: `https://hooks.${tenant}.example/v2/events`,
        event: pickOne(EVENTS, random),
        body: {
          id: `evt_${randomInteger(100_000, 999_999, random)}`,
          amountCents: randomInteger(500, 90_000, random),
        },
      };
    case 'thumbnail.render':
      return {
        source: `s3://${tenant}-uploads/${randomInteger(2_024, 2_026, random)}/img-${randomInteger(1_000, 9_999, random)}.jpg`,
        width: pickOne([160, 320, 640], random),
        height: pickOne([100, 200, 400], random),
        format: pickOne(['webp', 'avif', 'jpeg'], random),
      };
    case 'invoice.issue':
      return {
        customer: `${tenant}-${randomInteger(100, 999, random)}`,
        currency: pickOne(['EUR', 'USD', 'GBP'], random),
        lines: Array.from({ length: randomInteger(1, 4, random) }, () => ({
          sku: pickOne(SKUS, random),
          quantity: randomInteger(1, 20, random),
          unitCents: randomInteger(900, 25_000, random),
        })),
      };
  }
}

/** The mistakes real producers make: a field lost, a field of the wrong type, text that is no JSON. */
export function brokenPayloadFor(kind: Kind, tenant: string, random: () => number): string {
  const whole = JSON.stringify(payloadFor(kind, tenant, random));
  if (chance(30, random)) return whole.slice(0, Math.floor(whole.length * 0.7));
  const wrong: Record<Kind, object> = {
    'email.send': { to: `${pickOne(PEOPLE, random)} at ${tenant}`, template: pickOne(TEMPLATES, random) },
    'webhook.deliver': { url: null, event: pickOne(EVENTS, random) },
    'thumbnail.render': { source: `s3://${tenant}-uploads/img.jpg`, width: 'auto', height: 0 },
    'invoice.issue': {
      currency: 'EURO',
      lines: [{ sku: pickOne(SKUS, random), quantity: -1, unitCents: 900 }],
    },
  };
  return JSON.stringify(wrong[kind]);
}

/** The result of a run that succeeded. */
export function resultFor(kind: Kind, runMs: number, random: () => number): object {
  switch (kind) {
    case 'email.send':
      return { messageId: `<${randomInteger(1e9, 9e9, random).toString(36)}@mail.example>`, accepted: 1 };
    case 'webhook.deliver':
      return { status: pickOne([200, 200, 200, 202, 204], random), tookMs: Math.round(runMs) };
    case 'thumbnail.render':
      return {
        key: `thumbs/${randomInteger(1e9, 9e9, random).toString(36)}.webp`,
        bytes: randomInteger(4_000, 90_000, random),
      };
    case 'invoice.issue':
      return {
        number: `INV-${randomInteger(10_000, 99_999, random)}`,
        totalCents: randomInteger(900, 400_000, random),
      };
  }
}
