'use client';
import { FileText, Image, Mail, Receipt, Skull, Webhook } from 'lucide-react';
import Link from 'next/link';
import { useState } from 'react';
import { cn } from '@/components/ui/cn';
import { CountdownRing } from '@/components/ui/ring';
import { links } from '@/lib/client/links';
import { useServerNow } from '@/lib/client/live';
import type { LabSlot } from '@/lib/contract/lab';
import type { Worker } from '@/lib/contract/workers';
import { coarse, duration } from '@/lib/format/duration';
import { count } from '@/lib/format/plural';
import { assignLanes, sameLanes } from './lanes';

/** A crash stays in sight this long, even when the next process is up sooner. */
const CRASH_SHOWN_MS = 3_500;

const KIND: Record<string, { Icon: typeof Mail; word: string }> = {
  'email.send': { Icon: Mail, word: 'email' },
  'webhook.deliver': { Icon: Webhook, word: 'webhook' },
  'thumbnail.render': { Icon: Image, word: 'thumbnail' },
  'invoice.issue': { Icon: Receipt, word: 'invoice' },
};

/** One worker process: what it holds, how long its leases last, and what happened when it died. */
export function WorkerCard({
  slot,
  worker,
  concurrency,
}: {
  slot: LabSlot;
  worker: Worker | undefined;
  concurrency: number;
}) {
  const now = useServerNow(250);
  const crash = slot.lastCrash;
  const crashed =
    slot.status === 'crashed' ||
    slot.status === 'backoff' ||
    (crash !== null && now - crash.at < CRASH_SHOWN_MS);
  const jobs = crashed ? [] : (worker?.jobs ?? []);
  const lanes = useLanes(
    jobs.map((job) => job.jobId),
    worker?.concurrency ?? concurrency,
  );
  return (
    <li
      data-testid="worker-slot"
      data-status={crashed ? 'crashed' : slot.status}
      className={cn(
        'flex min-w-0 flex-col rounded-md border bg-panel transition-colors duration-300',
        crashed
          ? 'border-bad bg-soft-bad'
          : slot.status === 'running'
            ? 'border-line-strong'
            : 'border-line border-dashed',
      )}
    >
      <div className="flex h-7 items-center justify-between gap-2 px-2 text-xs">
        <span className="flex min-w-0 items-center gap-1.5">
          <span
            aria-hidden
            className={cn(
              'size-2 shrink-0 rounded-full',
              crashed ? 'bg-bad' : slot.status === 'running' ? 'bg-good' : 'bg-faint',
            )}
          />
          <span className="font-medium">Worker {slot.slot + 1}</span>
          <span className="truncate text-faint">
            {crashed ? '' : slot.status === 'running' ? `pid ${slot.pid ?? '–'}` : slot.status}
          </span>
        </span>
        <span className="flex shrink-0 items-center gap-2 text-faint">
          {slot.crashes > 0 && (
            <span
              className="flex items-center gap-0.5 text-bad"
              title={count(slot.crashes, 'crash', 'crashes')}
            >
              <Skull aria-hidden className="size-3" />
              {slot.crashes}
              <span className="sr-only">crashes</span>
            </span>
          )}
          {!crashed && worker && <span title="Up since">{coarse(Math.max(0, now - worker.startedAt))}</span>}
        </span>
      </div>
      {crashed && crash ? <Crash crash={crash} slot={slot} now={now} /> : null}
      <ul className={cn('flex flex-col gap-px px-1 pb-1', crashed && 'hidden')}>
        {lanes.map((lane) => {
          const job = jobs.find((held) => held.jobId === lane.jobId);
          return job ? (
            <Lane key={lane.key} job={job} leaseMs={worker?.leaseMs ?? 0} now={now} />
          ) : (
            <IdleLane key={lane.key} />
          );
        })}
      </ul>
    </li>
  );
}

/** The lanes with a key each: that of their place, for a lane is a place. */
function useLanes(jobIds: readonly string[], size: number): { key: string; jobId: string | null }[] {
  const [lanes, setLanes] = useState<readonly (string | null)[]>([]);
  const next = assignLanes(lanes, jobIds, size);
  if (!sameLanes(next, lanes)) setLanes(next);
  return next.map((jobId, place) => ({ key: `lane ${place}`, jobId }));
}

function Crash({
  crash,
  slot,
  now,
}: {
  crash: NonNullable<LabSlot['lastCrash']>;
  slot: LabSlot;
  now: number;
}) {
  const wait = (slot.restartAt ?? 0) - now;
  return (
    <div className="flex flex-1 flex-col justify-center gap-0.5 px-2 pb-2 text-xs">
      <span className="font-semibold text-bad">{crash.cause}</span>
      <span>{count(crash.reclaimed, 'job')} reclaimed at once</span>
      <span className="text-muted">
        {slot.status === 'running'
          ? `new process: pid ${slot.pid ?? '–'}`
          : wait > 0
            ? `next process in ${duration(wait)}`
            : 'starting the next process'}
      </span>
    </div>
  );
}

function Lane({ job, leaseMs, now }: { job: Worker['jobs'][number]; leaseMs: number; now: number }) {
  const { Icon, word } = KIND[job.jobType] ?? { Icon: FileText, word: job.jobType };
  return (
    <li className="flex h-6 items-center gap-1.5 rounded-sm bg-state-in-flight/11 px-1.5 text-xs">
      <Icon aria-hidden className="size-3.5 shrink-0 text-state-in-flight" />
      <Link
        href={links.job(job.queue, job.jobId)}
        prefetch={false}
        className="min-w-0 flex-1 truncate hover:underline"
        title={`${job.jobType} ${job.jobId} in ${job.queue}`}
      >
        {word}
      </Link>
      <span className="shrink-0 text-muted">{duration(Math.max(0, now - job.startedAt))}</span>
      <CountdownRing
        until={job.leaseUntil}
        totalMs={leaseMs}
        now={now}
        size={18}
        className="[&_span]:hidden"
      />
    </li>
  );
}

function IdleLane() {
  return (
    <li className="flex h-6 items-center rounded-sm border border-line border-dashed px-1.5 text-faint text-xs">
      <span className="opacity-70">idle</span>
    </li>
  );
}
