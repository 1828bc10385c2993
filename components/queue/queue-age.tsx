'use client';
import { DataAge } from '@/components/ui/relative-time';
import { useQueue } from '@/lib/client/use-queue';

export function QueueAge({ queue }: { queue: string }) {
  return <DataAge at={useQueue(queue).data?.at} staleAfterMs={5_000} />;
}
