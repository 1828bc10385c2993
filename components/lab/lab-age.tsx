'use client';
import { DataAge } from '@/components/ui/relative-time';
import { useOverview } from '@/lib/client/use-overview';

export function LabAge() {
  return <DataAge at={useOverview().data?.at} />;
}
