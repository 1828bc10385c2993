'use client';
import { useEffect, useEffectEvent, useState } from 'react';
import type { ApiError } from '@/lib/client/api';
import { usePreview } from '@/lib/client/use-operations';
import type { Preview, PreviewRequest } from '@/lib/contract/operations';

export interface Previewed {
  preview: Preview | null;
  /** It was of another question, or a newer answer is on its way. */
  pending: boolean;
  error: ApiError | null;
  /** Counts again. */
  again: () => void;
}

/**
 * The preview of what is asked, taken anew whenever the question changes (`settleMs` after the last change, so that typing
 * does not ask at every letter). An answer that comes after its question has changed is dropped.
 */
export function usePreviewOf(request: PreviewRequest | null, settleMs: number): Previewed {
  const { mutateAsync } = usePreview();
  const asked = request === null ? null : JSON.stringify(request);
  const [round, setRound] = useState(0);
  const [answer, setAnswer] = useState<{
    of: string;
    preview: Preview | null;
    error: ApiError | null;
  } | null>(null);
  const of = asked === null ? null : `${round} ${asked}`;
  const ask = useEffectEvent(async (question: string, current: () => boolean) => {
    // Going from one step to another asks nothing new.
    if (request === null || answer?.of === question) return;
    try {
      const preview = await mutateAsync(request);
      if (current()) setAnswer({ of: question, preview, error: null });
    } catch (error) {
      if (current()) setAnswer({ of: question, preview: null, error: error as ApiError });
    }
  });
  useEffect(() => {
    if (of === null) return;
    let wanted = true;
    const timer = setTimeout(() => void ask(of, () => wanted), settleMs);
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [of, settleMs]);
  const mine = answer !== null && answer.of === of;
  return {
    preview: mine ? answer.preview : null,
    error: mine ? answer.error : null,
    pending: of !== null && !mine,
    again: () => setRound(round + 1),
  };
}
