import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { LiveProvider } from '@/lib/browser/live/live-provider';
import type { LabState } from '@/lib/contract/lab/lab-schemas';
import { LAB_DEFAULTS } from '@/lib/contract/lab/lab-settings';
import { ProcessPanel } from './process-panel';

const lab = { supervisor: { pid: 7, slots: [] }, crashes: [] } as unknown as LabState;
const head = (inFlight: number | null) =>
  renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <LiveProvider>
        <ProcessPanel lab={lab} settings={LAB_DEFAULTS} inFlight={inFlight} />
      </LiveProvider>
    </QueryClientProvider>,
  );

it('counts jobs in flight from the reading of the ledger, not from older reports of workers', () => {
  expect(head(4)).toContain('running, 4 jobs in flight, supervisor pid 7');
});

it('leaves the number out before it is known', () => {
  expect(head(null)).toContain('running, supervisor pid 7');
});
