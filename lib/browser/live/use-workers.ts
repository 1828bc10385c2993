'use client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useStreamed } from '../api/hydration';
import { keys } from '../api/query-keys';
import { fetchWorkers, snapshotOptions } from './snapshot-requests';

/** Live and ended workers. */
export const useWorkers = () =>
  useStreamed(useQuery(snapshotOptions(useQueryClient(), keys.workers(), fetchWorkers)), keys.workers());
