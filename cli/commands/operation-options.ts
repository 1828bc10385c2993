/** The options of every command that starts an operation, and the request they make. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ApiInput } from '@/lib/api-client';
import type { Api } from '@/lib/contract/api';
import type { JobState } from '@/lib/contract/jobs/job-states';
import {
  EXPORT_FORMATS,
  type ExportFormat,
  KIND_STATES,
  MAKES_READY,
  type OperationKind,
  RERUNS,
} from '@/lib/contract/operations/operation-kinds';
import { type PatchStep, patchStepSchema } from '@/lib/contract/operations/operation-request';
import {
  durationValue,
  jobValue,
  jsonValue,
  numberValue,
  percentValue,
  rateValue,
  timeValue,
} from '../terminal/option-values';

type PreviewBody = ApiInput<Api['previewOperation']>['body'];

/** How an operation is started, whatever its kind. */
export interface StartOptions {
  readonly dryRun?: boolean;
  readonly reason?: string;
  readonly rate?: number;
  readonly keepReadyBelow?: number;
  readonly canary?: number;
  readonly canaryStopAbove?: number;
  readonly canaryWait?: number;
  readonly stopAbove?: number;
  readonly stopWindow?: number;
  readonly watch?: boolean;
}

/** What it does, and to which jobs. */
interface ScopeOptions {
  readonly queue?: string;
  readonly job?: { queue: string; jobId: string }[];
  readonly state?: JobState;
  readonly to?: string;
  readonly patch?: PatchStep[];
  readonly at?: number;
  readonly format?: ExportFormat;
  readonly maxRows?: number;
  readonly includeUnsafe?: boolean;
}

/** A few that each kind needs, and those that at least one of `kinds` takes. */
export function addOperationOptions(command: Command, kinds: readonly OperationKind[]): Command {
  const states = [...new Set(kinds.flatMap((kind) => KIND_STATES[kind]))];
  const [only, ...others] = kinds;
  /** Says for which kind an option is, unless the command has one. */
  const ofKind = (kind: OperationKind, flags: string, hint: string): Option =>
    new Option(flags, others.length === 0 ? hint : `${kind}: ${hint}`).makeOptionMandatory(
      others.length === 0 && kind !== 'export',
    );
  command
    .option('--queue <queue>', 'only this queue')
    .option('--job <queue/id>', 'these jobs instead of a query; repeat it', jobValue)
    .option('--reason <text>', 'why; needed unless --dry-run')
    .option('--dry-run', 'show what would change, and change nothing')
    .option('--watch', 'follow it to its end')
    .option('--rate <rate>', 'jobs a second, such as 50 or 90/min', rateValue);
  if (states.length > 1)
    command.addOption(new Option('--state <state>', 'state of the jobs (default: dead)').choices(states));
  if (kinds.some((kind) => RERUNS.has(kind)))
    command
      .option('--canary <jobs>', 'so many jobs first; the others wait until these have ended', numberValue)
      .option(
        '--canary-stop-above <percent>',
        'share of the canary that may die again (default: 0%)',
        percentValue,
      )
      .option('--canary-wait <duration>', 'pause when the canary takes longer (default: 10m)', durationValue)
      .option('--stop-above <percent>', 'pause when more than this share dies again', percentValue)
      .option('--stop-window <duration>', 'of the jobs that ended within (default: 1m)', durationValue)
      .option('--include-unsafe', 'also jobs that their error class advises against');
  if (kinds.some((kind) => MAKES_READY.has(kind)))
    command.option('--keep-ready-below <jobs>', 'wait while the queue has more ready jobs', numberValue);
  if (only === undefined) return command;
  if (kinds.includes('move')) command.addOption(ofKind('move', '--to <queue>', 'where to'));
  if (kinds.includes('edit'))
    command.addOption(
      ofKind('edit', '--patch <json>', 'RFC 6902: [{"op": "replace", "path": "/to", "value": 1}]').argParser(
        patchValue,
      ),
    );
  if (kinds.includes('reschedule'))
    command.addOption(
      ofKind('reschedule', '--at <time>', 'when they become due, in ISO 8601').argParser(timeValue),
    );
  if (kinds.includes('export'))
    command
      .addOption(
        ofKind('export', '--format <format>', 'of the file; excel: CSV that Excel opens as UTF-8').choices(
          EXPORT_FORMATS,
        ),
      )
      .addOption(ofKind('export', '--max-rows <count>', 'jobs in the file at most').argParser(numberValue));
  return command;
}

/** What to preview. Left out, the state is that of the kind, or dead if it works on several. */
export function previewBodyOf(
  kind: OperationKind,
  query: string | undefined,
  { queue, job: jobs, state, to, patch, at, format, maxRows, includeUnsafe }: ScopeOptions,
): PreviewBody {
  const [first, ...others] = KIND_STATES[kind];
  return {
    kind,
    scope: {
      queue,
      state: state ?? (others.length === 0 ? first : 'dead'),
      ...(jobs ? { jobs } : { q: query ?? '' }),
    },
    target: to,
    patch,
    dueAt: at,
    format,
    maxRows,
    includeUnsafe,
  };
}

const patchValue = (text: string): PatchStep[] => {
  const { data } = patchStepSchema.array().min(1).safeParse(jsonValue(text).value);
  if (!data) throw new InvalidArgumentError('Write a list of steps: add, replace, remove, test.');
  return data;
};
