'use client';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { ThemeProvider } from 'next-themes';
import { useState } from 'react';
import { NowProvider } from '@/components/ui/now';
import { TooltipProvider } from '@/components/ui/tooltip';

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
  // The document's policy is that of its first response; what a later one of the router says does not count in it.
  const [own] = useState(nonce);
  return (
    <ThemeProvider attribute="class" defaultTheme="system" enableSystem disableTransitionOnChange nonce={own}>
      <QueryClientProvider client={client}>
        <NowProvider initialNow={initialNow}>
          <TooltipProvider>{children}</TooltipProvider>
        </NowProvider>
      </QueryClientProvider>
    </ThemeProvider>
  );
}
