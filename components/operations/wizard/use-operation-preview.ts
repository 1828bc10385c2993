'use client';
import { useQuery } from '@tanstack/react-query';
import type { ApiError } from '@/lib/browser/api/api-client';
import { keys } from '@/lib/browser/api/query-keys';
import { useDebounced } from '@/lib/browser/search/use-suggest';
import { usePreview } from '@/lib/browser/use-operations';
import type { Preview } from '@/lib/contract/operations/operation-preview';
import type { readScope } from './wizard-draft';

export interface PreviewState {
  preview: Preview | null;
  /** A newer preview is being read. */
  pending: boolean;
  error: ApiError | null;
  /** Reads the preview again. */
  again: () => void;
}

/**
 * The preview of a request, read again when the request changes: `settleMs` after the last change, so that typing does not
 * send one for every letter.
 */
export function useOperationPreview(
  request: ReturnType<typeof readScope>['request'],
  settleMs: number,
): PreviewState {
  const { mutateAsync } = usePreview();
  const asked = request === null ? '' : JSON.stringify(request);
  const settled = useDebounced(asked, settleMs);
  const { data, error, isFetching, refetch } = useQuery<Preview, ApiError>({
    queryKey: keys.operationPreview(settled),
    queryFn: () => mutateAsync(JSON.parse(settled)),
    enabled: settled !== '',
    networkMode: 'always',
    retry: false,
    // A preview is never shown again: the jobs change.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const isCurrent = asked !== '' && asked === settled && !isFetching;
  return {
    preview: isCurrent && !error ? (data ?? null) : null,
    error: isCurrent ? error : null,
    pending: asked !== '' && !isCurrent,
    again: () => void refetch(),
  };
}
