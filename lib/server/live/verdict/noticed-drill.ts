/** Whether the verdict says what a drill does: a finding that did not stand before the drill began. */
import type { LabDrill } from '@/lib/contract/lab/lab-schemas';
import type { Verdict } from '@/lib/contract/queues/queue-schemas';

type Ids = ReadonlySet<string>;

export class NoticedDrill {
  private startedAt: number | null = null;
  private before: Ids = new Set();
  private last: Ids = new Set();

  /** Each frame once, in order. @returns true from the first frame that says so until the drill is marked */
  look(drill: LabDrill | undefined, { findings }: Pick<Verdict, 'findings'>): boolean {
    const now: Ids = new Set(findings.map(({ id }) => id));
    if (drill && drill.startedAt !== this.startedAt) {
      this.startedAt = drill.startedAt;
      this.before = this.last;
    }
    this.last = now;
    const isRunning = drill !== undefined && drill.stoppedAt === null && drill.verdictAt === null;
    return isRunning && [...now].some((id) => !this.before.has(id));
  }
}
