'use client';
import { ErrorState } from '@/components/ui/error-state';

/** What a page shows when rendering it failed. The message stays on the server; its digest finds it in the log. */
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
        message="Something failed while preparing it. Nothing was changed."
        reference={error.digest}
        onRetry={retry}
      />
    </div>
  );
}
