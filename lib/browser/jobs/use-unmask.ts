'use client';
import { useEffect, useRef, useState } from 'react';
import { paths } from '@/lib/contract/api-paths';
import type { UnmaskedJob } from '@/lib/contract/jobs/job-schemas';
import { ApiError, request } from '../api/api-client';
import { reply } from '../api/reply-schemas';

export interface Unmask {
  /** The job with its hidden values, while they are shown. */
  seen: UnmaskedJob | null;
  pending: boolean;
  error: ApiError | null;
  look: (reason: string) => void;
  /** Discards the hidden values. */
  hide: () => void;
  /** Discards a refusal. */
  reset: () => void;
}

/**
 * Shows the hidden values of one job. They stay in this component, never in a cache, and only until the user leaves the page.
 * @param version of the job on the page: once it changes, the shown values are outdated
 */
export function useUnmask(queue: string, jobId: string, version: string): Unmask {
  const of = `${queue}/${jobId} ${version}`;
  const [looked, setLooked] = useState<{ of: string; job: UnmaskedJob } | null>(null);
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  const asking = useRef<AbortController | null>(null);
  useEffect(() => () => asking.current?.abort(), []);
  const look = async (reason: string) => {
    const mine = new AbortController();
    asking.current?.abort();
    asking.current = mine;
    setPending(true);
    setError(null);
    try {
      const found = await request(paths.unmask(queue, jobId), {
        method: 'POST',
        body: { reason },
        schema: reply('unmaskedJobSchema'),
        signal: mine.signal,
      });
      if (!mine.signal.aborted) setLooked({ of, job: found });
    } catch (failed) {
      if (mine.signal.aborted) return;
      if (!(failed instanceof ApiError)) throw failed;
      setError(failed);
    } finally {
      if (!mine.signal.aborted) setPending(false);
    }
  };
  return {
    seen: looked?.of === of ? looked.job : null,
    pending,
    error,
    look: (reason) => void look(reason),
    hide: () => setLooked(null),
    reset: () => setError(null),
  };
}
