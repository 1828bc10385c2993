/** The preview of the inspected jobs: counts, samples and changed payloads. */

import { decodeRow } from '@/lib/broker/jobs/job-row';
import { readJobSummaries } from '@/lib/broker/jobs/read/job-summaries';
import { readRedaction, redactPayload } from '@/lib/broker/queues/settings/queue-redaction';
import { readStoredJobs } from '@/lib/broker/search/scan/job-facts';
import type { ShardRef } from '@/lib/broker/shards/shard-ref';
import type { ShardedContext } from '@/lib/broker/shards/sharded-context';
import { errorClassSchema } from '@/lib/contract/jobs/job-state-schemas';
import type { JobState } from '@/lib/contract/jobs/job-states';
import type { SkipReason } from '@/lib/contract/operations/operation-kinds';
import type { Preview } from '@/lib/contract/operations/operation-preview';
import type { SelectedJob } from '@/lib/contract/operations/operation-record';
import { CLASS_SAFETY } from '@/lib/contract/operations/rerun-safety';
import { MASK_TEXT, type Redaction, redactText } from '@/lib/contract/redaction';
import { AGE_BUCKETS, FACET_MAX_VALUES } from '@/lib/contract/search/search-limits';
import type { FacetValue } from '@/lib/contract/search/search-schemas';
import { type EditPreview, type PayloadEditor, previewEdit } from '../kinds/edit-payload';
import type { InspectedJob } from './inspect-jobs';

const SAMPLES_MAX = 10;
const DIFFS = 10;
const HOUR_MS = 3_600_000;
/** Upper ends of AGE_BUCKETS, in their order. */
const AGE_ENDS_MS = [5 * 60_000, HOUR_MS, 24 * HOUR_MS, 7 * 24 * HOUR_MS, Number.POSITIVE_INFINITY];

/** The jobs of a preview, and their counts. */
export interface PreviewSet
  extends Pick<Preview, 'count' | 'exact' | 'sampled' | 'ageSampled' | 'breakdown' | 'skips' | 'inspected'> {
  readonly jobs: readonly InspectedJob[];
  /** Null: the set is a query. */
  readonly selection: SelectedJob[] | null;
  /** Every shard that may hold some; the breakdown may be of a sample and name fewer. */
  readonly shards: readonly ShardRef[];
}

export function countBreakdown(jobs: readonly InspectedJob[], at: number): Preview['breakdown'] {
  const countBy = (value: (job: InspectedJob) => string | null) => countValues(jobs.map(value));
  const ages = countValues(
    jobs.map(
      ({ facts }) => AGE_BUCKETS[AGE_ENDS_MS.findIndex((end) => at - facts.enteredAt <= end)]?.value ?? null,
    ),
  );
  return {
    queue: countBy(({ shard }) => shard.queue),
    type: countBy(({ facts }) => facts.type),
    code: countBy(({ facts }) => facts.code),
    class: countBy(({ facts }) => facts.class),
    tenant: countBy(({ facts }) => facts.tenant),
    age: AGE_BUCKETS.map(({ value }) => ages.find((one) => one.value === value) ?? { value, count: 0 }),
  };
}

export function countSkips(jobs: readonly InspectedJob[]): Partial<Record<SkipReason, number>> {
  const skips: Partial<Record<SkipReason, number>> = {};
  for (const { skip } of jobs) if (skip) skips[skip] = (skips[skip] ?? 0) + 1;
  return skips;
}

/** Advice on running jobs of these error classes again. */
export function rerunAdvice(classes: readonly FacetValue[]): Preview['advice'] {
  return classes.flatMap(({ value, count }) => {
    const errorClass = errorClassSchema.safeParse(value).data;
    if (errorClass === undefined || count === 0) return [];
    const { safety, sentence } = CLASS_SAFETY[errorClass];
    return [{ class: errorClass, count, safety, sentence }];
  });
}

/** Most first, then by name. */
function countValues(values: readonly (string | null)[]): FacetValue[] {
  const counts = new Map<string, number>();
  for (const value of values) if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    .slice(0, FACET_MAX_VALUES);
}

/** The newest of the jobs, as a list shows them. */
export async function readSamples(
  ctx: ShardedContext,
  state: JobState,
  jobs: readonly InspectedJob[],
): Promise<Preview['samples']> {
  const newest = [...jobs].sort((a, b) => b.facts.enteredAt - a.facts.enteredAt).slice(0, SAMPLES_MAX);
  const samples: Preview['samples'] = [];
  for (const { shard, jobId, score } of newest)
    samples.push(...(await readJobSummaries(ctx, shard.name, state, [{ jobId, score }])));
  return samples;
}

/** Payloads before and after an edit, up to half of them payloads that it does not fit. */
export async function payloadDiffs(
  ctx: ShardedContext,
  jobs: readonly InspectedJob[],
  editor: PayloadEditor,
): Promise<NonNullable<Preview['diffs']>> {
  const failing = jobs.filter(
    ({ skip }) => skip === 'patch-failed' || skip === 'invalid-payload' || skip === 'payload-too-large',
  );
  const fitting = jobs.filter(({ skip }) => skip === null);
  const most = Math.max(DIFFS / 2, DIFFS - fitting.length);
  const shown = [...failing.slice(0, most), ...fitting].slice(0, DIFFS);
  const diffs: NonNullable<Preview['diffs']> = [];
  for (const { shard, jobId } of shown) {
    const [stored] = await readStoredJobs(ctx, shard.name, [jobId]);
    const row = stored && decodeRow(jobId, stored.row);
    if (!stored || !row?.envelope) continue;
    const redaction = await readRedaction(ctx, shard.queue, shard.name);
    const edit = previewEdit(editor, { queue: shard.queue, jobId }, stored.row);
    diffs.push({
      queue: shard.queue,
      jobId,
      before: redactPayload(row.payload, redaction).text,
      after: edit.after === null ? null : redactText(edit.after, redaction).text,
      problem: problemOf(edit, row.payload, redaction),
    });
  }
  return diffs;
}

/** The problem may quote the payload, so it is hidden with the whole payload. */
function problemOf({ problem }: EditPreview, payload: Buffer, redaction: Redaction): string | null {
  if (problem === null || redactPayload(payload, redaction).text !== MASK_TEXT) return problem;
  return 'The payload cannot be edited this way. The reason is not shown, because the whole payload is hidden.';
}
