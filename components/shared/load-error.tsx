import { ErrorState } from '@/components/ui/error-state';
import type { ApiError } from '@/lib/browser/api/api-client';

/** A query that failed before it had data: what could not be loaded, why, and a retry. */
export function LoadError({
  title,
  query: { error, isFetching, refetch },
  onRetry = () => void refetch(),
}: {
  title: string;
  query: { error: ApiError | null; isFetching: boolean; refetch: () => unknown };
  onRetry?: () => void;
}) {
  return (
    <ErrorState
      title={title}
      message={error?.detail}
      reference={error?.requestId ?? undefined}
      retrying={isFetching}
      onRetry={onRetry}
    />
  );
}
