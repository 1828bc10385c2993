'use client';
import { ArrowDownToLine, RotateCw, Square } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { Progress } from '@/components/ui/progress';
import type { SearchStream } from '@/lib/client/use-search-stream';
import { scanWords } from './bulk';

/** How far a scan has come, and a hold on it: stop, go on, search again. One line of one height whatever it does. */
export function ScanLine({ stream, full }: { stream: SearchStream; full: boolean }) {
  const { status, progress, end, error } = stream;
  const hasMore = end?.nextCursor != null;
  const words = progress ? scanWords(progress) : status === 'running' ? 'Searching…' : '';
  return (
    <>
      {error && (
        <Callout tone="bad" className="m-2" title="The search broke off.">
          {error.detail}
        </Callout>
      )}
      <section
        aria-label="Search progress"
        className="flex min-h-9 flex-wrap items-center gap-x-3 gap-y-1 border-line border-b px-3 py-1 text-xs"
      >
        <p role="status" className="text-muted">
          {words}
          {status === 'stopped' && ' · stopped'}
          {status === 'done' && !hasMore && ' · that is all'}
          {full && hasMore && ' · the first are shown; narrow the query, or act on all that match'}
        </p>
        <Progress
          className="w-32 max-sm:w-full"
          label="Scanned"
          value={progress?.scanned ?? 0}
          total={progress ? Math.max(1, progress.of) : null}
          text={words}
        />
        <span className="ml-auto flex gap-1.5">
          {status === 'running' && (
            <Button size="sm" onClick={stream.stop}>
              <Square aria-hidden />
              Stop
            </Button>
          )}
          <Continue stream={stream} full={full} />
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

/** Goes on where the search ended, was stopped or broke off; nothing while it runs, and when everything was seen. */
export function Continue({ stream, full }: { stream: SearchStream; full: boolean }) {
  if (stream.status === 'running' || stream.cursor === null || full) return null;
  return (
    <Button size="sm" onClick={stream.more}>
      <ArrowDownToLine aria-hidden />
      Continue
    </Button>
  );
}
