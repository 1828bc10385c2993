import './globals.css';
import type { Metadata, Viewport } from 'next';
import localFont from 'next/font/local';
import { headers } from 'next/headers';
import { connection } from 'next/server';
import { EarlyPress } from '@/components/shell/early-press';
import { Providers } from '@/components/shell/providers';
import { ToasterHost } from '@/components/ui/overlays/toaster-host';
import { addressOf } from '@/lib/browser/base-path';

/**
 * Served by the console itself. Other alphabets than Latin come in the system's font, and so does a page that is painted before the font is
 * here: it would move when letters of another width take their place.
 */
const inter = localFont({
  src: '../node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
  weight: '100 900',
  display: 'optional',
  variable: '--font-inter',
});

const DESCRIPTION = 'Operator console for background jobs on Redis';

/** Link previews need absolute URLs, and PUBLIC_URL is known only at run time. */
export async function generateMetadata(): Promise<Metadata> {
  await connection();
  const url = process.env.PUBLIC_URL;
  return {
    ...(url ? { metadataBase: new URL(url) } : {}),
    title: { default: 'Redrive', template: '%s · Redrive' },
    description: DESCRIPTION,
    applicationName: 'Redrive',
    manifest: addressOf('/manifest.webmanifest'),
    icons: {
      icon: [
        { url: addressOf('/icon.svg'), type: 'image/svg+xml' },
        { url: addressOf('/icon-192.png'), type: 'image/png', sizes: '192x192' },
      ],
      apple: addressOf('/apple-touch-icon.png'),
    },
    openGraph: {
      title: 'Redrive',
      description: DESCRIPTION,
      siteName: 'Redrive',
      type: 'website',
      images: [{ url: '/social.png', width: 1200, height: 630, alt: 'Redrive' }],
    },
    robots: { index: false, follow: false },
  };
}

export const viewport: Viewport = {
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#ffffff' },
    { media: '(prefers-color-scheme: dark)', color: '#14171b' },
  ],
};

/** Shared by all pages, signed in or not, so it holds no data; see (console)/layout.tsx. */
export default async function RootLayout({ children }: { children: React.ReactNode }) {
  // Renders per request: the time is current, and the build needs no Redis.
  await connection();
  // Set by the front server; only scripts with this nonce may run.
  const nonce = (await headers()).get('x-nonce') ?? undefined;
  return (
    <html lang="en" className={inter.variable} suppressHydrationWarning>
      <body>
        <EarlyPress nonce={nonce} />
        <Providers initialNow={Date.now()} nonce={nonce}>
          {children}
          <ToasterHost />
        </Providers>
      </body>
    </html>
  );
}
