import { CircleAlert } from 'lucide-react';
import { Badge } from '@/components/ui/badge';
import { cn } from '@/components/ui/cn';
import type { Preview } from '@/lib/contract/operations';
import { visible } from '@/lib/format/text';
import { type DiffLine, diffLines } from './diff-lines';

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
      <ul className="grid gap-2">
        {diffs.map((diff) => (
          <One key={`${diff.queue}/${diff.jobId}`} diff={diff} />
        ))}
      </ul>
    </section>
  );
}

const SIGN = { same: ' ', out: '−', in: '+', gap: ' ' } as const;
const LOOK: Readonly<Record<DiffLine['kind'], string>> = {
  same: 'text-muted',
  out: 'bg-soft-bad text-bad',
  in: 'bg-soft-good text-good',
  gap: 'text-faint',
};
const WORD = { same: '', out: 'before: ', in: 'after: ', gap: '' } as const;

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
      {before !== after && lines.length > 0 && (
        <section
          aria-label={`Change to ${jobId}`}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
          tabIndex={0}
          className="max-h-60 overflow-auto py-1 font-mono text-xs leading-4.5"
        >
          {lines.map((line, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines of one text have no other identity.
            <div key={i} className={cn('whitespace-pre-wrap px-2 [overflow-wrap:anywhere]', LOOK[line.kind])}>
              <span aria-hidden className="mr-1.5 select-none">
                {SIGN[line.kind]}
              </span>
              <span className="sr-only">{WORD[line.kind]}</span>
              {visible(line.text)}
            </div>
          ))}
        </section>
      )}
    </li>
  );
}
