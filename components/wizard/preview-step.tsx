'use client';
import { RefreshCw } from 'lucide-react';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { DataAge } from '@/components/ui/relative-time';
import { Skeleton } from '@/components/ui/skeleton';
import { Switch } from '@/components/ui/switch';
import type { Tone } from '@/components/ui/tone';
import { SKIP_WORDS, stateNoun, UNSAFE_SKIPS } from '@/lib/contract/operation-words';
import { type Preview, RERUNS, type SkipReason } from '@/lib/contract/operations';
import { full } from '@/lib/format/number';
import { Breakdown } from './breakdown';
import { Diffs } from './diffs';
import { type Change, type Draft, willMove } from './draft';
import { QueueDeleted } from './queue-deleted';
import { Samples } from './samples';
import type { Previewed } from './use-preview-of';
import { sampleWords, skippedOf, WAIT_WORDS, willWords } from './words';

/** What would be touched, in numbers, with what will be left alone and why. Nothing has been changed yet. */
export function PreviewStep({
  draft,
  previewed,
  onChange,
}: {
  draft: Draft;
  previewed: Previewed;
  onChange: Change;
}) {
  const { preview, error, again, pending } = previewed;
  if (error) {
    return (
      <Callout
        tone="bad"
        title="The preview could not be made"
        action={
          <Button size="sm" onClick={again}>
            Try again
          </Button>
        }
      >
        {error.detail}
      </Callout>
    );
  }
  if (!preview || pending) return <Counting />;
  if (preview.deletes) return <QueueDeleted preview={preview} deletes={preview.deletes} onAgain={again} />;
  return (
    <div className="grid gap-4">
      <Headline preview={preview} onAgain={again} />
      {preview.count > 0 && (
        <>
          <Advice preview={preview} />
          <LeftAlone preview={preview} draft={draft} onChange={onChange} />
          {preview.diffs && preview.diffs.length > 0 && <Diffs diffs={preview.diffs} />}
          <Breakdown breakdown={preview.breakdown} ageSampled={preview.ageSampled} />
          <Samples jobs={preview.samples} />
        </>
      )}
    </div>
  );
}

function Headline({ preview, onAgain }: { preview: Preview; onAgain: () => void }) {
  const { count, exact, scope, at } = preview;
  const some = sampleWords(preview);
  const moved = willMove(preview);
  return (
    <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
      <p role="status" className="text-base">
        <strong className="font-semibold text-lg">
          {exact ? '' : 'at least '}
          {full(count)}
        </strong>{' '}
        {stateNoun(scope.state, count)} {count === 1 ? 'matches' : 'match'}
        {moved !== null && moved < count && (
          <span className="text-muted">; {willWords(preview.kind, moved)}</span>
        )}
      </p>
      <span className="ml-auto flex items-center gap-1.5">
        <DataAge at={at} staleAfterMs={120_000} />
        <Button size="sm" variant="ghost" onClick={onAgain}>
          <RefreshCw aria-hidden />
          Count again
        </Button>
      </span>
      {some && <p className="w-full text-faint text-xs">{some}</p>}
    </div>
  );
}

const SAFETY_TONE: Readonly<Record<string, Tone>> = {
  maybe: 'warn',
  'after-fix': 'accent',
  'not-safe': 'bad',
  'not-useful': 'neutral',
  careful: 'bad',
};

function Advice({ preview: { advice, kind } }: { preview: Preview }) {
  if (advice.length === 0 || !RERUNS.has(kind)) return null;
  return (
    <section aria-label="Advice">
      <ul className="grid gap-1 text-sm">
        {advice.map(({ class: name, count, safety, sentence }) => (
          <li
            key={name}
            className="grid grid-cols-[9rem_3.5rem_minmax(0,1fr)] items-baseline gap-x-2 max-sm:grid-cols-[9rem_1fr]"
          >
            <Badge tone={SAFETY_TONE[safety] ?? 'neutral'} className="justify-self-start">
              {name}
            </Badge>
            <span className="text-right font-medium max-sm:text-left">{full(count)}</span>
            <span className="text-muted max-sm:col-span-2">{sentence}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function LeftAlone({ preview, draft, onChange }: { preview: Preview; draft: Draft; onChange: Change }) {
  const skips = skippedOf(preview.skips);
  const unsafe = UNSAFE_SKIPS.reduce((sum, reason) => sum + (preview.skips[reason] ?? 0), 0);
  const offered = RERUNS.has(preview.kind) && (unsafe > 0 || draft.includeUnsafe);
  if (skips.length === 0 && preview.waits.length === 0 && !offered) return null;
  return (
    <div className="grid gap-3 rounded border border-line bg-canvas px-3 py-2 text-sm">
      {skips.length > 0 && (
        <List
          title="Will be skipped"
          rows={skips.map(({ reason, count }) => ({ key: reason, count, text: skipText(reason) }))}
        />
      )}
      {offered && (
        <Switch
          label={draft.includeUnsafe ? 'Unsafe ones are included' : `Include the ${full(unsafe)} unsafe ones`}
          checked={draft.includeUnsafe}
          onCheckedChange={(includeUnsafe) => onChange({ includeUnsafe })}
        />
      )}
      {preview.waits.length > 0 && (
        <List
          title="Will wait"
          rows={preview.waits.map(({ reason, what, count }) => ({
            key: `${reason} ${what}`,
            count,
            text: WAIT_WORDS[reason](what),
          }))}
        />
      )}
    </div>
  );
}

const skipText = (reason: SkipReason): string => SKIP_WORDS[reason];

function List({
  title,
  rows,
}: {
  title: string;
  rows: readonly { key: string; count: number; text: string }[];
}) {
  return (
    <div>
      <h4 className="text-faint text-xs">{title}</h4>
      <ul>
        {rows.map(({ key, count, text }) => (
          <li key={key} className="flex gap-2">
            <span className="min-w-12 text-right font-medium">{full(count)}</span>
            <span className="text-muted">{text}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Counting() {
  return (
    <div role="status" aria-busy="true" className="grid gap-4">
      <span className="sr-only">Counting what matches</span>
      <Skeleton className="h-5 w-1/2" />
      <Skeleton className="w-4/5" />
      <Skeleton className="w-3/5" />
      <div className="grid gap-5 sm:grid-cols-3">
        {['a', 'b', 'c'].map((key) => (
          <Skeleton key={key} className="h-24" />
        ))}
      </div>
    </div>
  );
}
