/** The wizard's summary of an operation, in sentences and numbers; pure. */
import { describeRate } from '@/components/operations/operation-rate';
import { coverageText } from '@/components/shared/coverage-text';
import { KIND_EFFECTS } from '@/lib/contract/operations/operation-effects';
import type { OperationKind } from '@/lib/contract/operations/operation-kinds';
import type { Preview } from '@/lib/contract/operations/operation-preview';
import { KIND_LABELS, stateNoun } from '@/lib/contract/operations/operation-text';
import { duration } from '@/lib/format/duration';
import { fullNumber, percent } from '@/lib/format/number';
import { parseNumber } from '@/lib/format/parse-units';
import { count as counted } from '@/lib/format/plural';
import { FORMAT_LABELS } from '../labels';
import { type ExecutionSettings, expectedMoves, type WizardDraft } from './wizard-draft';

type Blocked = Preview['blocked'][number];

/** "until tenant acme is resumed (paused)", "until tenant acme and type mail are both resumed (paused)". */
export function blockedLabel({ reason, scope, pauses = 1 }: Omit<Blocked, 'count'>): string {
  if (reason === 'no-worker') return `no live worker handles ${scope}`;
  if (reason === 'draining') return `until ${scope} has new workers: the present ones are stopping`;
  const verb = pauses === 1 ? 'is' : pauses === 2 ? 'are both' : 'are all';
  return `until ${scope} ${verb} resumed (paused)`;
}

/** "13 will die again at once: 4 workers take webhook.deliver, none knows v99." One for each type and version, with its tone. */
export function unsupportedSentences({
  unsupported,
  inspected,
}: Pick<Preview, 'unsupported' | 'inspected'>): { text: string; certain: boolean }[] {
  return unsupported.map(({ queue, jobType, jobVersion, count, workers, takeType, takeVersion, retried }) => {
    const size = `${inspected === null ? '' : 'At least '}${fullNumber(count)}`;
    const why = coverageText({ queue, jobType, jobVersion, workers, takeType, takeVersion });
    const fate = retried
      ? `${takeVersion > 0 ? 'may' : 'will'} fail and be retried`
      : takeVersion > 0
        ? 'may die again at once'
        : 'will die again at once';
    return { text: `${size} ${fate}: ${why}.`, certain: takeVersion === 0 && !retried };
  });
}

/** "14 will wait: no live worker handles mail", "3 will wait until tenant acme is resumed (paused)". */
export const blockedSentences = ({ blocked }: Pick<Preview, 'blocked'>): string[] =>
  blocked.map((block) => {
    const label = blockedLabel(block);
    return `${fullNumber(block.count)} will wait${label.startsWith('until') ? ' ' : ': '}${label}.`;
  });

/** "1,200 will be re-driven". */
export const effectLabel = (kind: OperationKind, n: number): string =>
  `${fullNumber(n)} will be ${WILL[kind] ?? KIND_LABELS[kind].done}`;
const WILL: Partial<Readonly<Record<OperationKind, string>>> = {
  purge: 'moved to the trash',
  unsuppress: 'dead letters again',
};

/** "1,234 jobs", "at least 20,000 jobs". */
export const sizeLabel = ({ count, exact, scope }: Pick<Preview, 'count' | 'exact' | 'scope'>): string =>
  `${exact ? '' : 'at least '}${fullNumber(count)} ${stateNoun(scope.state, count)}`;

/** Which numbers come from a sample; null: none. */
export function sampleNote({ sampled, inspected }: Pick<Preview, 'sampled' | 'inspected'>): string | null {
  const looked = inspected ?? sampled;
  if (looked === null) return null;
  const skips = `Skipped and blocked jobs are counted in a sample of ${fullNumber(looked)}`;
  if (sampled === null) return `${skips}.`;
  return sampled === looked
    ? `Breakdown, skipped and blocked jobs are counted in a sample of ${fullNumber(looked)}.`
    : `${skips}; the breakdown in one of ${fullNumber(sampled)}.`;
}

/** The label of the last button: the operation and the number of jobs. */
export const startLabel = (preview: Preview): string =>
  preview.deletes
    ? preview.needsApproval
      ? 'Request approval: delete queue'
      : 'Delete queue'
    : preview.needsApproval
      ? `Request approval: ${KIND_LABELS[preview.kind].verb.toLowerCase()} ${startSize(preview)}`
      : `${KIND_LABELS[preview.kind].verb} ${startSize(preview)}`;

/** Without the jobs that will be skipped. */
const startSize = (preview: Preview): string =>
  `${preview.exact ? '' : 'at least '}${fullNumber(expectedMoves(preview) ?? preview.count)}`;

/** What will happen, in numbers, as sentences. */
export function planSentences(draft: WizardDraft, preview: Preview, settings: ExecutionSettings): string[] {
  const { kind, count, scope, exact } = preview;
  if (preview.deletes) return [`${counted(count, 'job')}: ${lower(KIND_EFFECTS[kind])}`];
  const sentences = [planHead(draft, preview)];
  const moved = expectedMoves(preview);
  if (moved !== null && moved < count)
    sentences.push(`${fullNumber(count - moved)} will be skipped, each with its reason.`);
  const { canary, stop, rate } = settings;
  if (canary) {
    const first = Math.min(canary.jobs, count);
    sentences.push(
      `Canary: ${counted(first, 'job')} first. The rest follows if at most ${percent(canary.maxDiedAgain)} of them die again within ${duration(canary.waitMs)}; otherwise the operation pauses.`,
    );
  }
  if (kind !== 'export' && count > 1)
    sentences.push(`Rate: ${describeRate(rate)}${timeText(moved ?? count, exact, settings)}.`);
  if (stop)
    sentences.push(
      `Automatic stop: pauses when more than ${percent(stop.maxDiedAgain)} of the jobs that ended within ${duration(stop.windowMs)} died again.`,
    );
  if (!scope.jobs && kind !== 'export')
    sentences.push('Jobs that match later, or die again, are not touched.');
  return sentences;
}

/** How long a fixed rate takes; the wait for a canary comes on top. */
function timeText(jobs: number, exact: boolean, { rate, canary }: ExecutionSettings): string {
  const wait = canary ? `up to ${duration(canary.waitMs)} for the canary` : null;
  if (rate.perSecond === null) return wait === null ? '' : `, after ${wait}`;
  const time = `${duration((jobs / rate.perSecond) * 1_000)}${exact ? '' : ' or longer'}`;
  return `, about ${time}${wait === null ? ' in total' : `, and ${wait}`}`;
}

function planHead(draft: WizardDraft, preview: Preview): string {
  const size = sizeLabel(preview);
  if (preview.kind === 'export') return exportHead(draft, preview);
  const to = preview.kind === 'move' ? ` To ${draft.target.trim()}.` : '';
  return `${capital(size)}: ${lower(KIND_EFFECTS[preview.kind])}${to}`;
}

/** "50 dead letters will be exported as NDJSON."; only with a limit that cuts is it named. */
function exportHead({ maxRows, format }: WizardDraft, preview: Preview): string {
  const limit = parseNumber(maxRows) ?? preview.count;
  const size = sizeLabel(preview);
  const rows =
    preview.exact && preview.count <= limit ? capital(size) : `Up to ${fullNumber(limit)} of ${size}`;
  return `${rows} will be exported as ${FORMAT_LABELS[format]}. Nothing is changed.`;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
