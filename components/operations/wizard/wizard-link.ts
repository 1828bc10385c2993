/** What a link to the wizard holds: kind, jobs and settings. Not: payloads and their parts, and what is typed to confirm; pure. */
import { z } from 'zod';
import { type Filled, fillIn, readValues } from '@/lib/browser/dialog-link';
import { OPERATION_KINDS } from '@/lib/contract/operations/operation-kinds';
import { type Scope, scopeSchema } from '@/lib/contract/operations/operation-request';
import { RATE_MODES, UNLIMITED } from '../operation-rate';
import type { WizardDraft } from './wizard-draft';

const linkSchema = z.object({
  kind: z.enum(OPERATION_KINDS as [(typeof OPERATION_KINDS)[number]]),
  scope: scopeSchema,
  draft: z.record(z.string(), z.unknown()),
});

export interface WizardLink {
  kind: WizardDraft['kind'];
  scope: Scope;
  draft: Filled;
}

/** Taken as they are; the others need a look. */
const TEXTS = [
  'target',
  'due',
  'format',
  'maxRows',
  'includeUnsafe',
  'canaryWait',
  'stopWindow',
  'reason',
] as const;
const SAFETY = ['rate', 'canaryOn', 'canaryJobs', 'canaryPercent', 'stopOn', 'stopPercent'] as const;

export function toWizardLink({ kind, state, q, queue, jobs, ...draft }: WizardDraft): Filled {
  const pick = (names: readonly (keyof typeof draft)[]) =>
    Object.fromEntries(names.flatMap((name) => (draft[name] === null ? [] : [[name, draft[name]]])));
  return {
    kind,
    scope: { state, ...(jobs ? { jobs } : { q }), ...(queue.trim() && !jobs ? { queue: queue.trim() } : {}) },
    draft: { ...pick(TEXTS), ...pick(SAFETY) },
  };
}

/** @returns null where the link names no operation that could be asked for */
export function readWizardLink(filled: Filled): WizardLink | null {
  const read = linkSchema.safeParse(filled);
  return read.success ? read.data : null;
}

/** A new wizard's values with those of the link. */
export function withLink(draft: WizardDraft, filled: Filled | undefined): WizardDraft {
  if (filled === undefined) return draft;
  const texts = Object.fromEntries(TEXTS.map((name) => [name, draft[name]]));
  const safety = { canaryOn: false, canaryJobs: '', canaryPercent: '', stopOn: false, stopPercent: '' };
  const rate = fillIn(UNLIMITED, Object(filled.rate) as Filled);
  return {
    ...draft,
    ...fillIn(texts, filled),
    ...readValues(safety, filled),
    rate: filled.rate && RATE_MODES.some(({ value }) => value === rate.mode) ? rate : draft.rate,
  };
}
