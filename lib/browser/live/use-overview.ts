'use client';
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useStreamed } from '../api/hydration';
import { keys } from '../api/query-keys';
import { fetchOverview, snapshotOptions } from './snapshot-requests';

export const overviewOptions = (client: QueryClient) =>
  snapshotOptions(client, keys.overview(), fetchOverview);

export const useOverview = () => useStreamed(useQuery(overviewOptions(useQueryClient())), keys.overview());
