'use client';
import { useFormContext } from 'react-hook-form';
import { sortSkips } from '@/components/operations/labels';
import { Badge } from '@/components/ui/badge';
import { Callout } from '@/components/ui/callout';
import { Button } from '@/components/ui/controls/button';
import { Switch } from '@/components/ui/controls/switch';
import { Skeleton } from '@/components/ui/skeleton';
import type { Tone } from '@/components/ui/tone';
import { SKIP_LABELS, UNSAFE_SKIPS } from '@/lib/contract/operations/operation-effects';
import { RERUNS } from '@/lib/contract/operations/operation-kinds';
import type { Preview } from '@/lib/contract/operations/operation-preview';
import { stateNoun } from '@/lib/contract/operations/operation-text';
import { fullNumber } from '@/lib/format/number';
import { GoesOn } from '../goes-on/goes-on';
import { EditDiffs } from './patch-editor';
import { blockedLabel, effectLabel, sampleNote, unsupportedSentences } from './plan-sentences';
import { PreviewBreakdown, SampleJobs } from './preview-matches';
import { CountAgain, QueueDeletion } from './queue-deletion';
import type { PreviewState } from './use-operation-preview';
import { expectedMoves, type WizardDraft } from './wizard-draft';

/** The preview: matches, skipped and blocked jobs, samples. Nothing has been changed yet. */
export function PreviewStep({ state: { preview, error, again, pending } }: { state: PreviewState }) {
  if (error) {
    return (
      <Callout
        tone="bad"
        title="The preview failed"
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
  if (preview.deletes) return <QueueDeletion preview={preview} deletes={preview.deletes} onAgain={again} />;
  return (
    <div className="grid gap-4">
      <Headline preview={preview} onAgain={again} />
      {preview.count > 0 && (
        <>
          <GoesOn preview={preview} />
          <UnsupportedNotice preview={preview} />
          <Advice preview={preview} />
          <SkippedAndBlocked preview={preview} />
          {preview.diffs && preview.diffs.length > 0 && <EditDiffs diffs={preview.diffs} />}
          <PreviewBreakdown breakdown={preview.breakdown} ageSampled={preview.ageSampled} />
          <SampleJobs jobs={preview.samples} />
        </>
      )}
    </div>
  );
}

function Headline({ preview, onAgain }: { preview: Preview; onAgain: () => void }) {
  const { count, exact, scope, at } = preview;
  const note = sampleNote(preview);
  const moved = expectedMoves(preview);
  return (
    <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
      <p role="status" className="text-base">
        <strong className="font-semibold text-lg">
          {exact ? '' : 'at least '}
          {fullNumber(count)}
        </strong>{' '}
        {stateNoun(scope.state, count)} {count === 1 ? 'matches' : 'match'}
        {moved !== null && moved < count && (
          <span className="text-muted">; {effectLabel(preview.kind, moved)}</span>
        )}
      </p>
      <CountAgain at={at} onAgain={onAgain} />
      {note && <p className="w-full text-faint text-xs">{note}</p>}
    </div>
  );
}

/** Jobs that no live worker, or not every one, has a handler for. */
export function UnsupportedNotice({ preview }: { preview: Pick<Preview, 'unsupported' | 'inspected'> }) {
  const sentences = unsupportedSentences(preview);
  if (sentences.length === 0) return null;
  return (
    <Callout tone={sentences.some(({ certain }) => certain) ? 'bad' : 'warn'}>
      <ul>
        {sentences.map(({ text }) => (
          <li key={text} className="[overflow-wrap:anywhere]">
            {text}
          </li>
        ))}
      </ul>
    </Callout>
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
            <span className="text-right font-medium max-sm:text-left">{fullNumber(count)}</span>
            <span className="text-muted max-sm:col-span-2">{sentence}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function SkippedAndBlocked({ preview }: { preview: Preview }) {
  const { setValue, watch } = useFormContext<WizardDraft>();
  const includeUnsafe = watch('includeUnsafe');
  const skips = sortSkips(preview.skips);
  const unsafe = UNSAFE_SKIPS.reduce((sum, reason) => sum + (preview.skips[reason] ?? 0), 0);
  const offered = RERUNS.has(preview.kind) && (unsafe > 0 || includeUnsafe);
  if (skips.length === 0 && preview.blocked.length === 0 && !offered) return null;
  return (
    <div className="grid gap-3 rounded border border-line bg-canvas px-3 py-2 text-sm">
      {skips.length > 0 && (
        <List
          title="Will be skipped"
          rows={skips.map(({ reason, count }) => ({ key: reason, count, text: SKIP_LABELS[reason] }))}
        />
      )}
      {offered && (
        <Switch
          label={includeUnsafe ? 'Unsafe jobs included' : `Include ${fullNumber(unsafe)} unsafe jobs`}
          checked={includeUnsafe}
          onCheckedChange={(next) => setValue('includeUnsafe', next)}
        />
      )}
      {preview.blocked.length > 0 && (
        <List
          title="Will be blocked"
          rows={preview.blocked.map((block) => ({
            key: `${block.reason} ${block.scope}`,
            count: block.count,
            text: blockedLabel(block),
          }))}
        />
      )}
    </div>
  );
}

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
            <span className="min-w-12 text-right font-medium">{fullNumber(count)}</span>
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
      <span className="sr-only">Counting matches</span>
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
