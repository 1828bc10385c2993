'use client';
import { ErrorState } from '@/components/ui/error-state';

/** Shown when rendering failed. The digest finds the message in the server's log. */
export default function PageError({
  error,
  retry,
}: {
  error: Error & { digest?: string };
  retry: () => void;
}) {
  return (
    <div className="grid min-h-[70dvh] place-items-center">
      <ErrorState
        page
        title="This page could not be shown"
        message="An error occurred while rendering it."
        reference={error.digest}
        onRetry={retry}
      />
    </div>
  );
}
