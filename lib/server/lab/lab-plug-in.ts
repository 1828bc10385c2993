/** The lab's part of a console that offers the lab: marks when a verdict first says what a drill does. */
import type { Verdict } from '@/lib/contract/queues/queue-schemas';
import type { PlugIn } from '../plug-ins';
import { getLab } from './console-lab';
import { NoticedDrill } from './noticed-drill';

export function createLabPlugIn(): PlugIn {
  const noticed = new NoticedDrill();
  /** Verdicts are looked at in order. */
  let last: Promise<void> = Promise.resolve();
  const look = async (verdict: Verdict, at: number) => {
    const drill = await getLab().latestDrill();
    if (noticed.look(drill ?? undefined, verdict) && drill) await getLab().noticeDrill(drill.startedAt, at);
  };
  return {
    onVerdict(verdict, at) {
      // Without Redis the score lacks this time; the console itself says why.
      last = last.then(() => look(verdict, at)).catch(() => undefined);
      return last;
    },
    close: () => getLab().close(),
  };
}
