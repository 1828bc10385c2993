'use client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { labBurstReplySchema, paths, reclaimedSchema } from '@/lib/contract/api';
import { validationError } from '@/lib/contract/errors';
import type { LabSettings, LabState } from '@/lib/contract/lab';
import { labSettingsSchema, labStateSchema } from '@/lib/contract/lab';
import { ApiError, request } from './api';
import { fetchLab } from './fetchers';
import { newKey } from './intent';
import { keys } from './keys';
import { type Streamed, useStreamed } from './prefetched';
import { newest, queryDefaults, useWrite } from './query-options';
import { createSettingsSaver } from './settings-saver';

/** The lab; null when it is switched off. The stream keeps it fresh. */
export function useLab(): Streamed<LabState | null> {
  const client = useQueryClient();
  const query = useQuery<LabState | null, ApiError>({
    ...queryDefaults,
    queryKey: keys.lab(),
    queryFn: async ({ signal }) => {
      const fetched = await fetchLab(signal);
      return fetched && newest(client.getQueryData<LabState | null>(keys.lab()), fetched);
    },
    staleTime: 5_000,
  });
  return useStreamed(query, keys.lab(), (state: LabState | null) => state);
}

export interface LabSettingsEditor {
  /** What to show: what was set here, else what the server says; null before it said anything. */
  settings: LabSettings | null;
  update: (patch: Partial<LabSettings>) => void;
  /** True while a change is on its way to the server. */
  saving: boolean;
  error: ApiError | null;
}

/** The lab's settings, changed live: shown at once, saved whole a moment later. */
export function useLabSettings(): LabSettingsEditor {
  const client = useQueryClient();
  const reported = useLab().data?.settings ?? null;
  const [saver] = useState(() =>
    createSettingsSaver<LabSettings>(async (settings) => {
      client.setQueryData(keys.lab(), await saveLabSettings(settings));
    }),
  );
  const { draft, saving, error } = useSyncExternalStore(saver.subscribe, saver.get, saver.get);
  useEffect(() => {
    if (reported) saver.observe(reported);
  }, [saver, reported]);
  useEffect(() => saver.flush, [saver]);
  const settings = draft ?? reported;
  const update = useCallback(
    (patch: Partial<LabSettings>) => {
      const base = saver.get().draft ?? client.getQueryData<LabState | null>(keys.lab())?.settings;
      if (base) saver.set({ ...base, ...patch });
    },
    [saver, client],
  );
  return { settings, update, saving, error };
}

async function saveLabSettings(settings: LabSettings): Promise<LabState> {
  const parsed = labSettingsSchema.safeParse(settings);
  if (!parsed.success) {
    const { message, fields } = validationError(parsed.error, 'Lab settings');
    throw new ApiError({ status: 400, code: 'VALIDATION', detail: message, fields });
  }
  return request(paths.lab(), {
    method: 'PUT',
    body: parsed.data,
    schema: labStateSchema,
    idempotencyKey: newKey(),
  });
}

/** Enqueues a batch at once. */
export function useLabBurst() {
  return useWrite({
    run: (body: { jobs: number }, idempotencyKey) =>
      request(paths.labBurst(), { method: 'POST', body, schema: labBurstReplySchema, idempotencyKey }),
    stale: () => [keys.overview(), keys.lab()],
  });
}

/** Runs the reclaim sweep over the lab's queues. */
export function useLabReclaim() {
  return useWrite<void, { reclaimed: number }>({
    run: (_, idempotencyKey) =>
      request(paths.labReclaim(), { method: 'POST', schema: reclaimedSchema, idempotencyKey }),
    stale: () => [keys.overview(), keys.lab(), keys.workers()],
  });
}
