import { CircleAlert, Lock } from 'lucide-react';
import { Badge } from '@/components/ui/badge';
import { DiffView } from '@/components/ui/diff-view';
import type { Preview } from '@/lib/contract/operations';
import { MASK } from '@/lib/contract/redaction';
import { diffLines } from '@/lib/format/diff-lines';

type Diff = NonNullable<Preview['diffs']>[number];

/** What the edit does to some payloads, a line out and a line in; those it cannot be done to say why. */
export function Diffs({ diffs }: { diffs: readonly Diff[] }) {
  const problems = diffs.filter(({ problem }) => problem !== null).length;
  return (
    <section>
      <h4 className="mb-1 text-faint text-xs">
        What it does to {diffs.length === 1 ? 'this payload' : `these ${diffs.length} payloads`}
        {problems > 0 && <span className="text-warn"> · {problems} would be skipped</span>}
      </h4>
      {diffs.some(({ before, after }) => before.includes(MASK) || after?.includes(MASK)) && (
        <p className="mb-1 flex items-baseline gap-1.5 text-muted text-xs">
          <Lock aria-hidden className="size-3 shrink-0 self-center" />
          <span>
            <code className="font-mono">{MASK}</code> stands for a hidden value. What no change names stays as
            it is stored.
          </span>
        </p>
      )}
      <ul className="grid gap-2">
        {diffs.map((diff) => (
          <One key={`${diff.queue}/${diff.jobId}`} diff={diff} />
        ))}
      </ul>
    </section>
  );
}

function One({ diff: { queue, jobId, before, after, problem } }: { diff: Diff }) {
  const lines = after === null ? [] : diffLines(before, after);
  return (
    <li className="min-w-0 overflow-hidden rounded border border-line">
      <p className="flex flex-wrap items-center gap-x-2 border-line border-b bg-sunken px-2 py-0.5 text-xs">
        <span className="font-mono">{jobId}</span>
        <span className="text-faint">{queue}</span>
        {problem !== null && (
          <Badge tone="warn" icon={<CircleAlert aria-hidden />} className="h-auto whitespace-normal py-0.5">
            Skipped: {problem}
          </Badge>
        )}
        {problem === null && before === after && <Badge>Not changed</Badge>}
      </p>
      {before !== after && lines.length > 0 && <DiffView label={`Change to ${jobId}`} lines={lines} />}
    </li>
  );
}
