/** Defaults shared by all queries and writes. */
import {
  type QueryKey,
  type UseMutationResult,
  type UseQueryOptions,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useState } from 'react';
import type { z } from 'zod';
import { ApiError, type RequestOptions, request } from './api-client';
import { createIdempotencyKey } from './idempotency-key';
import { keys } from './query-keys';
import type { ReplySchema } from './reply-schemas';

export const REFETCH_MS = 2_000;

/** Retries only failures that may be transient. */
export const retryTransient = (failures: number, error: unknown): boolean =>
  failures < 2 && error instanceof ApiError && (error.status === 0 || error.status >= 500);

/** `always`: a console on localhost answers although the machine has no internet. */
export const queryDefaults = { networkMode: 'always', retry: retryTransient } as const;

type ApiQueryOptions<Reply, Data> = Pick<RequestOptions<z.ZodType>, 'deadlineMs' | 'asks'> &
  Omit<UseQueryOptions<Reply, ApiError, Data>, 'queryKey' | 'queryFn'>;

/** Reads one path of the API. */
export function useApiQuery<S extends z.ZodType, Data = z.output<S>>(
  queryKey: QueryKey,
  path: string,
  schema: ReplySchema<S>,
  { deadlineMs, asks, ...options }: ApiQueryOptions<z.output<S>, Data> = {},
): UseQueryResult<Data, ApiError> {
  return useQuery<z.output<S>, ApiError, Data>({
    ...queryDefaults,
    queryKey,
    queryFn: ({ signal }) => request(path, { schema, deadlineMs, asks, signal }),
    ...options,
  });
}

export interface ApiWrite {
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  body?: unknown;
}

export type ApiMutation<Output, Input> = UseMutationResult<Output, ApiError, Input> & {
  /** What it would send. */
  readonly requestOf: (input: Input) => ApiWrite;
};

/** A write with one idempotency key per intent. The data it affects is read again, also when its outcome is unknown. */
export function useWrite<Input, S extends z.ZodType>({
  send,
  schema,
  stale,
  deadlineMs,
  onDone,
}: {
  send: (input: Input) => ApiWrite;
  schema: ReplySchema<S>;
  stale: (input: Input) => readonly QueryKey[];
  deadlineMs?: number;
  onDone?: (output: z.output<S>) => void;
}): ApiMutation<z.output<S>, Input> {
  const client = useQueryClient();
  const [intent] = useState(createIdempotencyKey);
  const mutation = useMutation<z.output<S>, ApiError, Input>({
    networkMode: 'always',
    mutationFn: (input) => {
      const { path, ...write } = send(input);
      return request(path, { ...write, schema, deadlineMs, idempotencyKey: intent.keyFor(input) });
    },
    onSuccess: (output) => {
      intent.end();
      onDone?.(output);
    },
    onError: (error) => {
      if (!error.outcomeUnknown) intent.end();
      // Permissions were revoked, so the page must hide what they allowed.
      if (error.code === 'FORBIDDEN') void client.invalidateQueries({ queryKey: keys.me() });
    },
    onSettled: (_output, _error, input) => {
      for (const queryKey of stale(input)) void client.invalidateQueries({ queryKey });
    },
  });
  return { ...mutation, requestOf: send };
}
