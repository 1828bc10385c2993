import './globals.css';
import type { Metadata, Viewport } from 'next';
import { connection } from 'next/server';
import { NuqsAdapter } from 'nuqs/adapters/next/app';
import { Providers } from '@/components/shell/providers';
import { Toaster } from '@/components/ui/toaster';
import { Prefetched } from '@/lib/client/prefetched';
import { AppFrame } from './app-frame';
import { prefetchState } from './prefetch';

export const metadata: Metadata = {
  title: { default: 'Redrive', template: '%s · Redrive' },
  description: 'Operator console for background jobs on Redis',
  robots: { index: false, follow: false },
};

export const viewport: Viewport = {
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#ffffff' },
    { media: '(prefers-color-scheme: dark)', color: '#14171b' },
  ],
};

export default async function RootLayout({ children }: { children: React.ReactNode }) {
  // Rendered for each request: with the present numbers, and without Redis while building.
  await connection();
  return (
    <html lang="en" suppressHydrationWarning>
      <body>
        <NuqsAdapter>
          <Providers initialNow={Date.now()}>
            <Prefetched state={await prefetchState()}>
              <AppFrame>{children}</AppFrame>
            </Prefetched>
            <Toaster />
          </Providers>
        </NuqsAdapter>
      </body>
    </html>
  );
}
