/** What the wizard says in numbers; pure. */
import { paceWords } from '@/components/ui/pace';
import { KIND_WORDS, stateNoun } from '@/lib/contract/operation-words';
import type { OperationKind, Preview, SkipReason } from '@/lib/contract/operations';
import { duration } from '@/lib/format/duration';
import { full, percent } from '@/lib/format/number';
import { count as counted } from '@/lib/format/plural';
import { type Draft, type Velocity, willMove } from './draft';

/** Reasons and counts, most first. */
export function skippedOf(skips: Preview['skips']): { reason: SkipReason; count: number }[] {
  return Object.entries(skips)
    .map(([reason, count]) => ({ reason: reason as SkipReason, count: count ?? 0 }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count);
}

export const WAIT_WORDS: Readonly<Record<Preview['waits'][number]['reason'], (what: string) => string>> = {
  paused: (what) => `until ${what} is resumed: it is paused`,
  'no-worker': (what) => `until a worker takes ${what}: none that is alive does`,
  draining: (what) => `until ${what} has workers that take new jobs: those it has are stopping`,
};

/** "1,200 will be re-driven". */
export const willWords = (kind: OperationKind, n: number): string =>
  `${full(n)} will be ${WILL[kind] ?? KIND_WORDS[kind].done}`;
const WILL: Partial<Readonly<Record<OperationKind, string>>> = {
  purge: 'moved to the trash',
  unsuppress: 'dead again',
};

/** "1,234 jobs", "at least 20,000 jobs". */
export const sizeWords = ({ count, exact, scope }: Pick<Preview, 'count' | 'exact' | 'scope'>): string =>
  `${exact ? '' : 'at least '}${full(count)} ${stateNoun(scope.state, count)}`;

/** Which numbers are of some of them only; null: none. */
export function sampleWords({ sampled, lookedAt }: Pick<Preview, 'sampled' | 'lookedAt'>): string | null {
  const looked = lookedAt ?? sampled;
  if (looked === null) return null;
  const skips = `Skips and waits are of ${full(looked)} that were looked at one by one, not of all`;
  if (sampled === null) return `${skips}.`;
  return sampled === looked
    ? `Breakdown, skips and waits are of ${full(looked)} of them, not of all.`
    : `${skips}; the breakdown is of ${full(sampled)}.`;
}

/** On the last button: what it does, to how many. */
export const startLabel = (preview: Preview): string =>
  preview.deletes
    ? preview.needsApproval
      ? 'Ask for approval: delete queue'
      : 'Delete queue'
    : preview.needsApproval
      ? `Ask for approval: ${KIND_WORDS[preview.kind].verb.toLowerCase()} ${full(preview.count)}`
      : `${KIND_WORDS[preview.kind].verb} ${preview.exact ? '' : 'at least '}${full(preview.count)}`;

/** What will happen, in numbers, as sentences. */
export function planSentences(draft: Draft, preview: Preview, velocity: Velocity): string[] {
  const { kind, count, scope, exact } = preview;
  if (preview.deletes) return [`${counted(count, 'job')}: ${lower(KIND_WORDS[kind].happens)}`];
  const sentences = [planHead(draft, preview)];
  const moved = willMove(preview);
  if (moved !== null && moved < count)
    sentences.push(`${full(count - moved)} of them will be skipped, each with its reason.`);
  const { canary, stop, pace } = velocity;
  if (canary) {
    const first = Math.min(canary.jobs, count);
    sentences.push(
      `First ${counted(first, 'job')} only. The rest follows if at most ${percent(canary.maxDiedAgain)} of those die again; it pauses if more do, or if they have not ended within ${duration(canary.waitMs)}.`,
    );
  }
  if (kind !== 'export') {
    const time = pace.ratePerSecond === null ? null : (moved ?? count) / pace.ratePerSecond;
    sentences.push(
      `It goes ${paceWords(pace)}${time === null ? '' : `, so it takes about ${duration(time * 1_000)}${exact ? '' : ' or longer'}`}.`,
    );
  }
  if (stop)
    sentences.push(
      `It pauses by itself when more than ${percent(stop.maxDiedAgain)} of what ended in ${duration(stop.windowMs)} died again.`,
    );
  if (!scope.jobs && kind !== 'export')
    sentences.push('What comes to match later, or dies again because of this, is not touched.');
  return sentences;
}

function planHead(draft: Draft, preview: Preview): string {
  const size = sizeWords(preview);
  if (preview.kind === 'export')
    return `Up to ${draft.maxRows} of ${size} are written as ${draft.format.toUpperCase()}. Nothing is changed.`;
  const to = preview.kind === 'move' ? ` To ${draft.target.trim()}.` : '';
  return `${capital(size)}: ${lower(KIND_WORDS[preview.kind].happens)}${to}`;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
