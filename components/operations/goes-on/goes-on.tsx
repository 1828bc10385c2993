'use client';
import { useMemo } from 'react';
import { Callout } from '@/components/ui/callout';
import { useNow } from '@/components/ui/text/clock-provider';
import { useQueues } from '@/lib/browser/queues/use-queue';
import { RERUNS } from '@/lib/contract/operations/operation-kinds';
import type { Preview } from '@/lib/contract/operations/operation-preview';
import { goesOnSentence } from './goes-on-sentence';

/** Of more queues a sentence would be a list. */
const QUEUES_MAX = 3;

/** Jobs that run again into a failure that goes on die again: says so before they do. */
export function GoesOn({ preview }: { preview: Preview }) {
  const names = preview.breakdown.queue.map(({ value }) => value).slice(0, QUEUES_MAX);
  const key = names.join(' ');
  const queues = useQueues(useMemo(() => (key === '' ? [] : key.split(' ')), [key]));
  const sentence = goesOnSentence(preview, queues, useNow(1_000));
  if (sentence === null || !RERUNS.has(preview.kind)) return null;
  return (
    <Callout tone="warn" title="The failure goes on.">
      {sentence}
    </Callout>
  );
}
