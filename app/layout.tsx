import './globals.css';
import type { Metadata, Viewport } from 'next';
import { headers } from 'next/headers';
import { connection } from 'next/server';
import { NuqsAdapter } from 'nuqs/adapters/next/app';
import { Providers } from '@/components/shell/providers';
import { Toaster } from '@/components/ui/toaster';

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

/** What every page has in common, signed in or not. Nothing of a queue is known here: that begins in (console)/layout.tsx. */
export default async function RootLayout({ children }: { children: React.ReactNode }) {
  // Rendered for each request: with the present time, and without Redis while building.
  await connection();
  // Set by the HTTP server in front (scripts/lib/border): what carries it may run in this page, and no other inline script.
  const nonce = (await headers()).get('x-nonce') ?? undefined;
  return (
    <html lang="en" suppressHydrationWarning>
      <body>
        <NuqsAdapter>
          <Providers initialNow={Date.now()} nonce={nonce}>
            {children}
            <Toaster />
          </Providers>
        </NuqsAdapter>
      </body>
    </html>
  );
}
