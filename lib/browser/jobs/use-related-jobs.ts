'use client';
import { useCallback, useEffect, useRef, useState } from 'react';
import { paths } from '@/lib/contract/api-paths';
import type { JobSummary } from '@/lib/contract/jobs/job-schemas';
import type { FindReply } from '@/lib/contract/search/find-schemas';
import { ApiError, request, withQuery } from '../api/api-client';
import { readLines } from '../api/ndjson-reader';
import { reply } from '../api/reply-schemas';

/** A reference of a job, and how other jobs with it are found. */
export interface JobReference {
  readonly label: string;
  readonly value: string;
  /** `lookup`: by id, uniqueness key or idempotency key, in one step. `search`: over all states, within its budget. */
  readonly by: 'lookup' | 'search';
}

export interface RelatedJobs {
  readonly reference: JobReference;
  readonly jobs: readonly JobSummary[];
  readonly pending: boolean;
  /** Not all jobs were looked at, or more match than are listed. */
  readonly isPart: boolean;
  readonly scanned: number;
  readonly error: string | null;
}

/** Finds the jobs that share a reference, when asked. Leaving the page ends the searches on the server, too. */
export function useRelatedJobs(references: readonly JobReference[]): {
  found: readonly RelatedJobs[] | null;
  find: () => void;
} {
  const [found, setFound] = useState<readonly RelatedJobs[] | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const find = useCallback(() => {
    running.current?.abort();
    const own = new AbortController();
    running.current = own;
    setFound(references.map((reference) => ({ ...NOTHING, reference })));
    references.forEach((reference, at) => {
      const change = (next: (before: RelatedJobs) => Partial<RelatedJobs>) => {
        if (own.signal.aborted) return;
        setFound((all) => all?.map((one, i) => (i === at ? { ...one, ...next(one) } : one)) ?? null);
      };
      void follow(reference, own.signal, change);
    });
  }, [references]);
  return { found, find };
}

const NOTHING = { jobs: [], pending: true, isPart: false, scanned: 0, error: null } as const;

/** Shards that were not searched may hold more. */
const isCut = ({ unasked = 0, unavailable = [] }: Pick<FindReply, 'unasked' | 'unavailable'>): boolean =>
  unasked > 0 || unavailable.length > 0;

type Change = (next: (before: RelatedJobs) => Partial<RelatedJobs>) => void;

async function follow({ by, value }: JobReference, signal: AbortSignal, change: Change): Promise<void> {
  try {
    if (by === 'lookup') {
      const path = withQuery(paths.find(), { q: value });
      const found = await request(path, { schema: reply('findReplySchema'), signal });
      return change(() => ({ jobs: found.jobs, isPart: found.more || isCut(found), pending: false }));
    }
    const path = withQuery(paths.findStream(), { q: value });
    for await (const events of readLines(path, { schema: reply('findEventSchema'), signal })) {
      for (const event of events) {
        if ('jobs' in event) change(({ jobs }) => ({ jobs: [...jobs, ...event.jobs] }));
        else if ('progress' in event) change(() => ({ scanned: event.progress.scanned }));
        else if ('error' in event) change(() => ({ error: event.error.detail }));
        else
          change(() => ({
            scanned: event.end.scanned,
            isPart: event.end.stopped !== null || isCut(event.end),
          }));
      }
    }
    change(() => ({ pending: false }));
  } catch (error) {
    const detail = error instanceof ApiError ? error.detail : 'The search failed in this browser.';
    change(() => ({ error: detail, pending: false }));
  }
}
