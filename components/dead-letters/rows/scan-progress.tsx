'use client';
import { Callout } from '@/components/ui/callout';
import { Button } from '@/components/ui/controls/button';
import { ArrowDownToLine, RotateCw, Square } from '@/components/ui/icons';
import { Progress } from '@/components/ui/progress';
import type { SearchStream } from '@/lib/browser/search/use-search-stream';
import { scanLabel } from '../labels';

/** Progress of a search through payloads, with stop, continue and restart. Its height never changes. */
export function ScanProgress({ stream, full }: { stream: SearchStream; full: boolean }) {
  const { status, progress, end, error } = stream;
  const hasMore = end?.nextCursor != null;
  const label = progress ? scanLabel(progress) : status === 'running' ? 'Searching…' : '';
  return (
    <>
      {error && (
        <Callout tone="bad" className="m-2" title="The search failed.">
          {error.detail}
        </Callout>
      )}
      <section
        aria-label="Search progress"
        className="flex min-h-9 flex-wrap items-center gap-x-3 gap-y-1 border-line border-b px-3 py-1 text-xs"
      >
        <p role="status" className="text-muted">
          {label}
          {status === 'stopped' && ' · stopped'}
          {status === 'done' && !hasMore && ' · complete'}
          {full && hasMore && ' · only the first are shown: narrow the query, or act on all matches'}
        </p>
        <Progress
          className="w-32 max-sm:w-full"
          label="Scanned"
          value={progress?.scanned ?? 0}
          total={progress ? Math.max(1, progress.of) : null}
          text={label}
        />
        <span className="ml-auto flex gap-1.5">
          {status === 'running' && (
            <Button size="sm" onClick={stream.stop}>
              <Square aria-hidden />
              Stop
            </Button>
          )}
          <ContinueSearch stream={stream} full={full} />
          {status !== 'running' && (
            <Button size="sm" variant="ghost" onClick={stream.again}>
              <RotateCw aria-hidden />
              Search again
            </Button>
          )}
        </span>
      </section>
    </>
  );
}

/** Continues from where the search ended, was stopped or failed; hidden while it runs and when it is complete. */
export function ContinueSearch({ stream, full }: { stream: SearchStream; full: boolean }) {
  if (stream.status === 'running' || stream.cursor === null || full) return null;
  return (
    <Button size="sm" onClick={stream.more}>
      <ArrowDownToLine aria-hidden />
      Continue
    </Button>
  );
}
