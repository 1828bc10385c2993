// @vitest-environment happy-dom
/** A frame that changes no number renders nothing: neither the parts of the shell nor the numbers of a queue. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render, screen } from '@testing-library/react';
import { Profiler } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { AlertWatch } from '@/components/alerts/alert-watch';
import { PauseBanner } from '@/components/queues/pause-banner';
import { QueueMetrics } from '@/components/queues/queue-metrics';
import { StateFlow } from '@/components/queues/state-flow';
import { useStateColumns } from '@/components/queues/use-state-columns';
import { ConnectionBanner } from '@/components/shell/connection-banner';
import { keys } from '@/lib/browser/api/query-keys';
import { LiveProvider } from '@/lib/browser/live/live-provider';
import { useQueue } from '@/lib/browser/queues/use-queue';
import { calmFrame, streamed } from '@/testing/pages/calm-frames';

class Stream extends EventTarget {
  static readonly opened: Stream[] = [];
  constructor(readonly url: string) {
    super();
    Stream.opened.push(this);
  }
  close() {}
}

beforeEach(() => {
  Stream.opened.length = 0;
  vi.stubGlobal('EventSource', Stream);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function Queue({ name }: { name: string }) {
  const queue = useQueue(name).data ?? null;
  useStateColumns(name, queue, 'in-flight');
  if (!queue) return null;
  return (
    <>
      <StateFlow queue={queue} current="ready" />
      <QueueMetrics queue={queue} />
    </>
  );
}

it('frames without news cause no commit, and one with news does', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  const first = calmFrame(1);
  client.setQueryData(keys.me(), { grants: [{ role: 'admin', queues: ['*'], tenants: null }] });
  client.setQueryData(keys.overview(), first.overview);
  client.setQueryData(keys.workers(), first.workers);
  client.setQueryData(keys.queueNumbers('c'), { queue: null, at: null, fresh: true });
  const commits = vi.fn();
  render(
    <QueryClientProvider client={client}>
      <LiveProvider>
        <Profiler id="page" onRender={commits}>
          <ConnectionBanner />
          <PauseBanner />
          <AlertWatch />
          <Queue name="c" />
        </Profiler>
      </LiveProvider>
    </QueryClientProvider>,
  );
  await expect.poll(() => Stream.opened.at(-1)?.url ?? '').toContain('watch=c');
  const frames = [...Array.from({ length: 20 }, (_, i) => calmFrame(i + 1)), calmFrame(21, 5)];
  const events = [...streamed(frames)].map(({ event, data }) => new MessageEvent(event, { data }));
  const receive = (event: MessageEvent | undefined) =>
    act(async () => {
      if (event) Stream.opened.at(-1)?.dispatchEvent(event);
      // The cache tells of news with a timer of its own.
      await new Promise((resolve) => setTimeout(resolve));
    });
  await receive(events[0]);
  expect(screen.getByRole('navigation', { name: 'States of this queue' })).toBeTruthy();
  commits.mockClear();
  for (const event of events.slice(1, 20)) await receive(event);
  expect(client.getQueryData(keys.queueNumbers('c'))).toMatchObject({ at: 20_000 });
  expect(commits).not.toHaveBeenCalled();
  await receive(events[20]);
  expect(commits).toHaveBeenCalled();
  expect(screen.getByRole('link', { name: /Ready/ }).textContent).toBe('Ready5');
});
