'use client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { ApiError, request, withQuery } from '@/lib/browser/api/api-client';
import { useStreamed } from '@/lib/browser/api/hydration';
import { randomKey } from '@/lib/browser/api/idempotency-key';
import { queryDefaults, useWrite } from '@/lib/browser/api/query-defaults';
import { keys } from '@/lib/browser/api/query-keys';
import { reply } from '@/lib/browser/api/reply-schemas';
import { snapshotOptions } from '@/lib/browser/live/snapshot-requests';
import { paths } from '@/lib/contract/api-paths';
import type {
  LabDrillRequest,
  LabEvents,
  LabSample,
  LabSettings,
  LabState,
  Movement,
} from '@/lib/contract/lab/lab-schemas';
import { LAB_SAMPLE_EVERY_MS, LAB_SAMPLES_MAX } from '@/lib/contract/lab/lab-settings';
import { createSettingsSaver } from './settings-saver';

const REFRESH_EVERY_MS = 1_000;
const EVENTS_KEPT = 200;
const NO_EVENTS: readonly Movement[] = [];

/** The lab, read while its page is open; null when it is switched off or the user may not see it. */
export const useLab = () =>
  useStreamed(
    useQuery({
      ...snapshotOptions(useQueryClient(), keys.lab(), fetchLab),
      refetchInterval: ({ state }) => (state.data === null ? false : REFRESH_EVERY_MS),
    }),
    keys.lab(),
  );

async function fetchLab(signal: AbortSignal): Promise<LabState | null> {
  try {
    return await request(paths.lab(), { schema: reply('labStateSchema'), signal });
  } catch (error) {
    if (error instanceof ApiError && (error.code === 'NOT_FOUND' || error.code === 'FORBIDDEN')) return null;
    throw error;
  }
}

export interface LabSettingsEditor {
  /** The settings set here, else the server's; null while they load. */
  settings: LabSettings | null;
  update: (patch: Partial<LabSettings>) => void;
  /** Whether a change is being saved. */
  saving: boolean;
  error: ApiError | null;
}

/** The lab's settings; a change shows at once and is saved a moment later. */
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
  const [{ labSettingsSchema }, { validationError }] = await Promise.all([
    import('@/lib/contract/lab/lab-schemas'),
    import('@/lib/contract/parse-or-throw'),
  ]);
  const parsed = labSettingsSchema.safeParse(settings);
  if (!parsed.success) {
    const { message, fields } = validationError(parsed.error, 'Lab settings');
    throw new ApiError({ status: 400, code: 'VALIDATION', detail: message, fields });
  }
  return request(paths.lab(), {
    method: 'PUT',
    body: parsed.data,
    schema: reply('labStateSchema'),
    idempotencyKey: randomKey(),
  });
}

/** Enqueues a batch at once. */
export const useLabBurst = () =>
  useWrite({
    send: (body: { jobs: number }) => ({ method: 'POST', path: paths.labBurst(), body }),
    schema: reply('labBurstReplySchema'),
    stale: () => [keys.overview(), keys.lab()],
  });

/** Runs the reclaim sweep over the lab's queues. */
export const useLabReclaim = () =>
  useWrite({
    send: () => ({ method: 'POST', path: paths.labReclaim() }),
    schema: reply('reclaimedSchema'),
    stale: () => [keys.overview(), keys.lab(), keys.workers()],
  });

/** The lab's queues over the last five minutes, oldest first; only new samples are fetched. Undefined until the first are here. */
export function useLabSamples(): readonly LabSample[] | undefined {
  const client = useQueryClient();
  return useQuery<readonly LabSample[], ApiError>({
    ...queryDefaults,
    queryKey: keys.labSamples(),
    refetchInterval: LAB_SAMPLE_EVERY_MS,
    queryFn: async ({ signal }) => {
      const known = client.getQueryData<readonly LabSample[]>(keys.labSamples()) ?? [];
      const after = known.at(-1)?.at ?? 0;
      const path = withQuery(paths.labSamples(), { after });
      const { samples } = await request(path, { schema: reply('labSamplesSchema'), signal });
      return [...known, ...samples].slice(-LAB_SAMPLES_MAX);
    },
  }).data;
}

/** The latest movements of the lab's queues, oldest first; only new ones are fetched. */
export function useLabEvents(): readonly Movement[] {
  const client = useQueryClient();
  const { data } = useQuery<LabEvents, ApiError>({
    ...queryDefaults,
    queryKey: keys.labEvents(),
    refetchInterval: REFRESH_EVERY_MS,
    queryFn: async ({ signal }) => {
      const known = client.getQueryData<LabEvents>(keys.labEvents()) ?? { events: [], next: '' };
      const path = withQuery(paths.labEvents(), { after: known.next });
      const { events, next } = await request(path, { schema: reply('labEventsSchema'), signal });
      return { events: [...known.events, ...events].slice(-EVENTS_KEPT), next };
    },
  });
  return data?.events ?? NO_EVENTS;
}

/** Counts crashes and reclaimed jobs from now on. */
export const useLabReset = () =>
  useWrite({
    send: () => ({ method: 'POST', path: paths.labSession() }),
    schema: reply('labStateSchema'),
    stale: () => [keys.lab()],
  });

/** Starts or stops a drill. */
export const useLabDrill = () =>
  useWrite({
    send: (body: LabDrillRequest) => ({ method: 'POST', path: paths.labDrill(), body }),
    schema: reply('labStateSchema'),
    stale: () => [keys.lab(), keys.overview()],
  });
