/** Follows an operation to its end: a progress bar for people, a line for each change for logs and programs. */
import type { Operation } from '@/lib/contract/operations/operation';
import { KIND_LABELS } from '@/lib/contract/operations/operation-text';
import { duration } from '@/lib/format/duration';
import { fullNumber } from '@/lib/format/number';
import type { CommandContext } from '../terminal/command-context';
import { CommandError, EXIT } from '../terminal/exit-codes';

const EVERY_MS = 1_000;
const BAR_CHARS = 24;
/** Longer outages end the command; the operation goes on. */
const FAILURES_MAX = 30;

/** @throws CommandError when the operation does not complete */
export async function watchOperation(context: CommandContext, id: string): Promise<void> {
  const { terminal, options } = context;
  let shown = '';
  const first = { at: terminal.now(), moved: 0 };
  for (let failures = 0; ; ) {
    const operation = await context.api.getOperation({ params: { id } }).catch((error: unknown) => {
      failures += 1;
      if (failures > FAILURES_MAX || (error as { status?: number }).status !== 0) throw error;
      return null;
    });
    if (operation !== null) {
      failures = 0;
      if (shown === '') Object.assign(first, { at: terminal.now(), moved: operation.moved });
      const line = progressText(operation, speedSince(first, operation, terminal.now()));
      if (line !== shown && !options.json) terminal.err(terminal.styled ? `\r\u001b[2K${line}` : `${line}\n`);
      shown = line;
      if (!isUnderWay(operation)) {
        if (terminal.styled && !options.json) terminal.err('\n');
        context.show(operation, endText);
        if (operation.status !== 'completed')
          throw new CommandError(`Operation ${id} did not complete.`, EXIT.notWell);
        return;
      }
    }
    await terminal.wait(EVERY_MS);
  }
}

const isUnderWay = ({ status }: Operation): boolean => status === 'running' || status === 'awaiting-approval';

/** Jobs a second since the watch began; 0: not known yet. */
const speedSince = (first: { at: number; moved: number }, { moved }: Operation, now: number): number =>
  now <= first.at ? 0 : ((moved - first.moved) * 1_000) / (now - first.at);

/** `[=====>   ] 1,200 of 4,000 re-driven, 3 skipped, 50/s, 56 s left`. Pure. */
export function progressText(operation: Operation, perSecond: number): string {
  const { kind, status, expected, moved, skipped, phase } = operation;
  const done = moved + skipped;
  const share = expected === 0 ? 1 : Math.min(1, done / expected);
  const full = Math.round(share * BAR_CHARS);
  const left =
    perSecond > 0 && done < expected ? `, ${duration(((expected - done) / perSecond) * 1_000)} left` : '';
  return [
    `[${'='.repeat(full)}${' '.repeat(BAR_CHARS - full)}] ${fullNumber(moved)} of ${fullNumber(expected)} ${KIND_LABELS[kind].done}`,
    skipped > 0 ? `, ${fullNumber(skipped)} skipped` : '',
    perSecond > 0 ? `, ${perSecond.toFixed(perSecond < 10 ? 1 : 0)}/s` : '',
    left,
    phase === null ? '' : `, ${phase}`,
    status === 'running' ? '' : `, ${status}`,
  ].join('');
}

export function endText(operation: Operation): string {
  const { id, kind, status, moved, skipped, paused, error, outcome, undo } = operation;
  return [
    `Operation ${id} is ${status}: ${fullNumber(moved)} ${KIND_LABELS[kind].done}, ${fullNumber(skipped)} skipped.`,
    paused?.sentence ?? error ?? '',
    outcome === null
      ? ''
      : `So far ${fullNumber(outcome.completed)} completed, ${fullNumber(outcome.diedAgain)} died again, ${fullNumber(outcome.waiting)} wait.`,
    undo === null ? '' : `Undo it with: redrive operations undo ${id} --reason "…"`,
  ]
    .filter(Boolean)
    .join(' ');
}
