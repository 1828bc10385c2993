'use client';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { ThemeProvider } from 'next-themes';
import { useState } from 'react';
import { NowProvider } from '@/components/ui/now';
import { TooltipProvider } from '@/components/ui/tooltip';
import { LiveProvider } from '@/lib/client/live';

function newClient() {
  return new QueryClient({
    defaultOptions: {
      // Live frames keep the cache fresh; refetching on focus would only add to what they bring.
      queries: { staleTime: 5_000, refetchOnWindowFocus: false, retry: 1 },
      mutations: { retry: false },
    },
  });
}

/** Everything the browser shares: query cache, theme, clock, tooltips. `initialNow` is the server's time of render. */
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
  return (
    <ThemeProvider
      attribute="class"
      defaultTheme="system"
      enableSystem
      disableTransitionOnChange
      nonce={nonce}
    >
      <QueryClientProvider client={client}>
        <NowProvider initialNow={initialNow}>
          <TooltipProvider>
            <LiveProvider>{children}</LiveProvider>
          </TooltipProvider>
        </NowProvider>
      </QueryClientProvider>
    </ThemeProvider>
  );
}
