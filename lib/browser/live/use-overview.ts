'use client';
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Overview } from '@/lib/contract/queues/queue-schemas';
import { useStreamed, useStreamedPart } from '../api/hydration';
import { keys } from '../api/query-keys';
import { fetchOverview, snapshotOptions } from './snapshot-requests';

export const overviewOptions = (client: QueryClient) =>
  snapshotOptions(client, keys.overview(), fetchOverview);

/** Another one each second. What shows a part of it takes `useOverviewPart`. */
export const useOverview = () => useStreamed(useQuery(overviewOptions(useQueryClient())), keys.overview());

/** @param select keep its identity stable */
export const useOverviewPart = <Part>(select: (overview: Overview) => Part): Part | undefined =>
  useStreamedPart(overviewOptions(useQueryClient()), select).data;
