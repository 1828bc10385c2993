'use client';
import { useEffect, useRef, useState } from 'react';
import { paths } from '@/lib/contract/api';
import { type UnmaskedJob, unmaskedJobSchema } from '@/lib/contract/job';
import { ApiError, request } from './api';

export interface Unmask {
  /** What is hidden, while somebody looks at it. */
  seen: UnmaskedJob | null;
  pending: boolean;
  error: ApiError | null;
  look: (reason: string) => void;
  /** Forgets it. */
  hide: () => void;
  /** Forgets a refusal. */
  reset: () => void;
}

/**
 * Shows one job with what is hidden of it. Only here is it kept, and only until the page is left: no cache has it.
 * @param version of what is shown of the job: when that changes, what was seen is no longer what is stored
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
        schema: unmaskedJobSchema,
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
