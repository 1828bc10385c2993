'use client';
import './globals.css';
import { useEffect } from 'react';
import { readStored } from '@/lib/device/browser-storage';

/**
 * Replaces the document when the root layout fails, in the chosen theme. Its script comes with every page, so it is written without the
 * console's components.
 */
export default function GlobalError({
  error,
  retry,
}: {
  error: Error & { digest?: string };
  retry: () => void;
}) {
  useEffect(() => {
    const chosen = readStored('local', 'theme');
    const dark =
      chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
    document.documentElement.classList.toggle('dark', dark);
  }, []);
  return (
    <html lang="en">
      <body>
        <title>Redrive could not start</title>
        <main className="grid min-h-dvh place-items-center">
          <div role="alert" className="flex flex-col items-center gap-1 px-4 py-10 text-center">
            <h1 className="font-medium text-bad">The console could not start this page</h1>
            <p className="max-w-prose text-muted text-sm">
              Your jobs are not affected: workers run without the console.
            </p>
            {error.digest && (
              <p translate="no" className="font-mono text-faint text-xs">
                Reference {error.digest}
              </p>
            )}
            <button
              type="button"
              onClick={retry}
              className="mt-3 h-7 rounded border border-control bg-panel px-2.5 font-medium text-sm hover:bg-hover"
            >
              Try again
            </button>
          </div>
        </main>
      </body>
    </html>
  );
}
