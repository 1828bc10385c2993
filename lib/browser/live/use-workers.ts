'use client';
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import type { WorkersPage } from '@/lib/contract/workers/worker-schemas';
import { useStreamed, useStreamedPart } from '../api/hydration';
import { keys } from '../api/query-keys';
import { fetchWorkers, snapshotOptions } from './snapshot-requests';

const workersOptions = (client: QueryClient) => snapshotOptions(client, keys.workers(), fetchWorkers);

/** Live and ended workers; another page each second. What shows a part of it takes `useWorkersPart`. */
export const useWorkers = () => useStreamed(useQuery(workersOptions(useQueryClient())), keys.workers());

/** @param select keep its identity stable */
export const useWorkersPart = <Part>(select: (page: WorkersPage) => Part): Part | undefined =>
  useStreamedPart(workersOptions(useQueryClient()), select).data;
