/** Whether the verdict says what a drill does: a finding that is new since the drill began, or says more than it did then. */
import type { LabDrill } from '@/lib/contract/lab/lab-schemas';
import { leadingNumber } from '@/lib/contract/queues/finding-weight';
import type { Verdict } from '@/lib/contract/queues/queue-schemas';

type Finding = Verdict['findings'][number];
type Findings = ReadonlyMap<string, Finding>;

export class NoticedDrill {
  private startedAt: number | null = null;
  /** As they stood when the drill began; those that ended since are gone. */
  private before: Findings = new Map();
  private last: Findings = new Map();

  /** Each frame once, in order. @returns true from the first frame that says so until the drill is marked */
  look(drill: LabDrill | undefined, { findings }: Pick<Verdict, 'findings'>): boolean {
    const now: Findings = new Map(findings.map((finding) => [finding.id, finding]));
    if (drill && drill.startedAt !== this.startedAt) {
      this.startedAt = drill.startedAt;
      this.before = this.last;
    }
    this.last = now;
    this.before = new Map([...this.before].filter(([id]) => now.has(id)));
    const isRunning = drill !== undefined && drill.stoppedAt === null && drill.verdictAt === null;
    return isRunning && findings.some((finding) => saysMore(finding, this.before.get(finding.id)));
  }
}

/** New, graver, or of a larger number: "5 worker crashes" after "1 worker crash". Ages grow by themselves and lead no sentence. */
function saysMore(finding: Finding, before: Finding | undefined): boolean {
  if (!before || (finding.level === 'bad' && before.level === 'warn')) return true;
  return leadingNumber(finding) > leadingNumber(before);
}
