'use client';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { ThemeProvider } from 'next-themes';
import { useEffect, useState } from 'react';
import { ClockProvider } from '@/components/ui/text/clock-provider';

function newClient() {
  return new QueryClient({
    defaultOptions: {
      // Live frames keep the cache fresh without a refetch on focus.
      queries: { staleTime: 5_000, refetchOnWindowFocus: false, retry: 1 },
      mutations: { retry: false },
    },
  });
}

/** Query cache, theme, clock and tooltips. `initialNow`: the server's time of rendering. */
export function Providers({
  children,
  nonce,
  initialNow,
}: {
  children: React.ReactNode;
  nonce?: string;
  initialNow: number;
}) {
  const [client] = useState(newClient);
  // The policy of the first response applies for the lifetime of the document.
  const [own] = useState(nonce);
  // After the effects of all below: see early-press.tsx.
  useEffect(() => window.pressAgain?.(), []);
  return (
    <ThemeProvider attribute="class" defaultTheme="system" enableSystem disableTransitionOnChange nonce={own}>
      <QueryClientProvider client={client}>
        <ClockProvider initialNow={initialNow}>{children}</ClockProvider>
      </QueryClientProvider>
    </ThemeProvider>
  );
}
