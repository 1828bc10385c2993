/** What every query and write of the console has in common. */
import type { QueryKey, UseMutationResult } from '@tanstack/react-query';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from './api';
import { createIntent } from './intent';
import { keys } from './keys';

export const REFETCH_MS = 2_000;

/** Tries again only what may pass by itself. */
export const retryPassing = (failures: number, error: unknown): boolean =>
  failures < 2 && error instanceof ApiError && (error.status === 0 || error.status >= 500);

/** `always`: a console on localhost answers although the machine has no internet. */
export const queryDefaults = { networkMode: 'always', retry: retryPassing } as const;

/** Keeps the newer of two snapshots: a slow reply must not overwrite what the stream brought meanwhile. */
export function newest<T extends { at: number }>(cached: T | null | undefined, fetched: T): T {
  return cached && cached.at > fetched.at ? cached : fetched;
}

/** A write: one idempotency key an intent, and whatever it touched is read again, also when its outcome is unknown. */
export function useWrite<Input, Output>(options: {
  run: (input: Input, idempotencyKey: string) => Promise<Output>;
  stale: (input: Input) => readonly QueryKey[];
}): UseMutationResult<Output, ApiError, Input> {
  const client = useQueryClient();
  const [intent] = useState(() => createIntent());
  return useMutation<Output, ApiError, Input>({
    networkMode: 'always',
    mutationFn: (input) => options.run(input, intent.keyFor(input)),
    onSuccess: () => intent.end(),
    onError: (error) => {
      if (!error.outcomeUnknown) intent.end();
      // Rights were taken meanwhile: the page stops offering what they gave.
      if (error.code === 'FORBIDDEN') void client.invalidateQueries({ queryKey: keys.me() });
    },
    onSettled: (_output, _error, input) => {
      for (const queryKey of options.stale(input)) void client.invalidateQueries({ queryKey });
    },
  });
}
