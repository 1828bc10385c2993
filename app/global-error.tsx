'use client';
import './globals.css';
import { useEffect } from 'react';
import { ErrorState } from '@/components/ui/error-state';

/** Replaces the document when the root layout fails, in the chosen theme. */
export default function GlobalError({
  error,
  retry,
}: {
  error: Error & { digest?: string };
  retry: () => void;
}) {
  useEffect(() => {
    const chosen = localStorage.getItem('theme');
    const dark =
      chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
    document.documentElement.classList.toggle('dark', dark);
  }, []);
  return (
    <html lang="en">
      <body>
        <title>Redrive could not start</title>
        <main className="grid min-h-dvh place-items-center">
          <ErrorState
            page
            title="The console could not start this page"
            message="Your jobs are not affected: workers run without the console."
            reference={error.digest}
            onRetry={retry}
          />
        </main>
      </body>
    </html>
  );
}
