/** From a preview to a finished operation: what every command that changes many jobs does. */
import type { ApiInput } from '@/lib/api-client';
import type { Api } from '@/lib/contract/api';
import type { Operation } from '@/lib/contract/operations/operation';
import { KIND_EFFECTS } from '@/lib/contract/operations/operation-effects';
import type { Preview } from '@/lib/contract/operations/operation-preview';
import { KIND_LABELS } from '@/lib/contract/operations/operation-text';
import { revealHidden } from '@/lib/format/display-text';
import { count } from '@/lib/format/plural';
import type { CommandContext } from '../terminal/command-context';
import { CommandError, EXIT } from '../terminal/exit-codes';
import { tableText } from '../terminal/print-table';
import type { StartOptions } from './operation-options';
import { watchOperation } from './watch-operation';

type PreviewBody = ApiInput<Api['previewOperation']>['body'];

/** Shows the preview, asks for the number of jobs, starts the operation and watches it if asked to. */
export async function runOperation(
  context: CommandContext,
  body: PreviewBody,
  options: StartOptions,
): Promise<void> {
  const { api, terminal } = context;
  const preview = await api.previewOperation({ body });
  if (options.dryRun) return context.show(preview, previewText);
  if (options.reason === undefined)
    throw new CommandError('Say why: --reason "provider is back".', EXIT.usage);
  if (preview.count === 0 && body.kind !== 'delete-queue')
    throw new CommandError('No job matches this preview.', EXIT.notFound);
  if (!context.options.json) terminal.err(revealHidden(`${previewText(preview)}\n`, '\n'));
  const typedName = preview.deletes?.typedName;
  await context.confirm(
    `${KIND_LABELS[body.kind].verb}: ${jobsIn(preview)}.`,
    typedName ?? String(preview.count),
  );
  const operation = await api.startOperation({
    body: {
      previewToken: preview.token,
      reason: options.reason,
      ...(preview.typedCount === null ? {} : { typedCount: preview.typedCount }),
      ...(typedName === undefined ? {} : { typedName }),
      ...(options.rate === undefined && options.keepReadyBelow === undefined
        ? {}
        : { rate: { perSecond: options.rate ?? null, keepReadyBelow: options.keepReadyBelow ?? null } }),
      ...safetyOf(options),
    },
    idempotencyKey: context.idempotencyKey,
  });
  if (options.watch) return watchOperation(context, operation.id);
  context.show(operation, startedText);
}

/** @throws CommandError for an option that says how, without the one that says whether */
function safetyOf({ canary, canaryStopAbove, canaryWait, stopAbove, stopWindow }: StartOptions) {
  if (canary === undefined && (canaryStopAbove ?? canaryWait) !== undefined)
    throw new CommandError('Say how many jobs go first: --canary 20.', EXIT.usage);
  if (stopAbove === undefined && stopWindow !== undefined)
    throw new CommandError('Say which share stops it: --stop-above 20%.', EXIT.usage);
  return {
    ...(canary === undefined
      ? {}
      : { canary: { jobs: canary, maxDiedAgain: canaryStopAbove, waitMs: canaryWait } }),
    ...(stopAbove === undefined ? {} : { stop: { maxDiedAgain: stopAbove, windowMs: stopWindow } }),
  };
}

const jobsIn = ({ count: jobs, exact }: Preview): string =>
  `${exact ? '' : 'at least '}${count(jobs, 'job')}`;

export const startedText = ({ id, status }: Operation): string =>
  status === 'awaiting-approval'
    ? `Operation ${id} waits for the approval of another user.`
    : `Operation ${id} has started. Follow it with: redrive operations watch ${id}`;

export function previewText(preview: Preview): string {
  const { kind, breakdown, skips, blocked, unsupported, advice, diffs = [] } = preview;
  const skipped = Object.entries(skips).map(([reason, jobs]) => `${jobs} skipped: ${reason}`);
  const parts = (['queue', 'type', 'code'] as const).flatMap((field) =>
    breakdown[field].map((row) => [field, row.value, row.count] as const),
  );
  return [
    `${KIND_LABELS[kind].verb}: ${jobsIn(preview)} match. ${KIND_EFFECTS[kind]}`,
    tableText(['BY', 'VALUE', 'JOBS'], parts, ''),
    ...skipped,
    ...blocked.map((row) => `${row.count} would wait: ${row.reason} (${row.scope})`),
    ...unsupported.map(
      (row) =>
        `${row.count} of ${row.jobType} in ${row.queue}: no live worker has a handler for version ${row.jobVersion}`,
    ),
    ...advice.map((row) => `${row.class}: ${row.sentence}`),
    ...diffs.map(({ jobId, before, after }) => `${jobId}\n- ${before}\n+ ${after}`),
    preview.needsApproval ? 'Another user must approve it.' : '',
  ]
    .filter(Boolean)
    .join('\n');
}
