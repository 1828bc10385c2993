/** Keeps the query cache fresh while the console is open: the event stream, or polling while it is silent. Loaded after the page. */
import type { QueryClient } from '@tanstack/react-query';
import type { frameSchema } from '@/lib/contract/live/live-frame';
import { reauthGate } from '../access/reauth-gate';
import { keys } from '../api/query-keys';
import { addressOf } from '../base-path';
import { applyFrame, applySnapshots } from './apply-frame';
import { createFrameReader } from './frame-reader';
import { createLiveConnection } from './live-connection';
import type { LiveStore } from './live-state';
import { fetchOverview, fetchWorkers } from './snapshot-requests';
import { createStreamSeats, FREE_SEATS, sharesConnection } from './stream-seats';
import type { WatchedQueues } from './watched-queues';

export interface LiveSession {
  readonly client: QueryClient;
  readonly store: LiveStore;
  readonly queues: WatchedQueues;
  readonly schema: typeof frameSchema;
}

/** Call the returned function to end it. */
export function startLiveSession({ client, store, queues, schema }: LiveSession): () => void {
  const connection = createLiveConnection({
    store,
    seats: sharesConnection()
      ? FREE_SEATS
      : createStreamSeats({
          tab: `${Date.now()}-${Math.random()}`,
          hasFocus: () => document.hasFocus(),
        }),
    openStream: (url) => new EventSource(addressOf(url)),
    createReader: () => createFrameReader(schema),
    watched: queues.names,
    onFrame: (frame, watched) => applyFrame(client, frame, watched),
    onSignedOut: () => void reauthGate.ask('sign-in'),
    poll: async (signal) => {
      const [overview, workers] = await Promise.allSettled([fetchOverview(signal), fetchWorkers(signal)]);
      if (overview.status === 'rejected') throw overview.reason;
      if (signal.aborted) return overview.value;
      for (const name of queues.names()) void client.invalidateQueries({ queryKey: keys.queueNumbers(name) });
      applySnapshots(client, {
        overview: overview.value,
        workers: workers.status === 'fulfilled' ? workers.value : undefined,
      });
      return overview.value;
    },
  });
  const onVisibility = () => {
    if (reauthGate.asked() !== 'sign-in') connection.setVisible(document.visibilityState === 'visible');
  };
  // Without a session every request is refused, so polling is useless.
  const leaveGate = reauthGate.subscribe(() => {
    if (reauthGate.asked() === 'sign-in') connection.stop();
    else onVisibility();
  });
  connection.start();
  onVisibility();
  document.addEventListener('visibilitychange', onVisibility);
  window.addEventListener('online', connection.nudge);
  window.addEventListener('focus', connection.nudge);
  // A closed tab gives its seat to another at once. A page that comes back from the browser's cache begins anew.
  window.addEventListener('pagehide', connection.stop);
  window.addEventListener('pageshow', onVisibility);
  const leaveQueues = queues.subscribe(connection.rewatch);
  return () => {
    leaveGate();
    leaveQueues();
    document.removeEventListener('visibilitychange', onVisibility);
    window.removeEventListener('online', connection.nudge);
    window.removeEventListener('focus', connection.nudge);
    window.removeEventListener('pagehide', connection.stop);
    window.removeEventListener('pageshow', onVisibility);
    connection.stop();
  };
}
