/** Open event streams, as tabs hold them: how many events and bytes each got, and the longest silence. */
import { Agent, type ClientRequest, request } from 'node:http';
import { paths } from '@/lib/contract/api-paths';
import { until } from '@/testing/poll';

const OPEN_MS = 60_000;
const END_OF_EVENT = '\n\n';

export interface Viewed {
  events: { least: number; median: number };
  /** Of all streams, between two events. */
  longestSilenceMs: number;
  /** Of one stream. */
  bytesPerSecond: number;
}

interface Stream {
  readonly sent: ClientRequest;
  events: number;
  bytes: number;
  lastAtMs: number;
  silenceMs: number;
  ended: string | null;
}

export interface Viewers {
  /** Resolves when each stream has had its first frame. */
  ready(): Promise<void>;
  /** From now on. */
  reset(): void;
  read(): Viewed;
  close(): void;
}

/** @param cookies one for each stream */
export function openViewers(port: number, cookies: readonly string[]): Viewers {
  const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY });
  const streams = cookies.map((cookie): Stream => {
    const sent = request({ host: '127.0.0.1', port, path: paths.stream(), agent, headers: { cookie } });
    const stream: Stream = { sent, events: 0, bytes: 0, lastAtMs: 0, silenceMs: 0, ended: null };
    sent.on('response', (response) => {
      if (response.statusCode !== 200) stream.ended = `it was answered ${response.statusCode}`;
      response.setEncoding('utf8');
      let rest = '';
      response.on('data', (text: string) => {
        const now = performance.now();
        const events = `${rest}${text}`.split(END_OF_EVENT);
        rest = events.pop() ?? '';
        stream.bytes += Buffer.byteLength(text);
        const frames = events.filter((event) => event.startsWith('event: ') || event.includes('\nevent: '));
        if (frames.length === 0) return;
        if (stream.lastAtMs > 0) stream.silenceMs = Math.max(stream.silenceMs, now - stream.lastAtMs);
        stream.lastAtMs = now;
        stream.events += frames.length;
      });
      response.on('close', () => {
        stream.ended ??= 'the console closed it';
      });
      response.on('error', () => undefined);
    });
    sent.on('error', (error) => {
      stream.ended ??= error.message;
    });
    sent.end();
    return stream;
  });
  let sinceMs = performance.now();
  const refuseEnded = () => {
    const ended = streams.find((stream) => stream.ended !== null);
    if (ended) throw new Error(`A stream ended: ${ended.ended}.`);
  };
  return {
    async ready() {
      await until(
        async () => {
          refuseEnded();
          return streams.every(({ events }) => events > 0);
        },
        { what: 'the first frame of each stream', timeoutMs: OPEN_MS, everyMs: 50 },
      );
    },
    reset() {
      sinceMs = performance.now();
      for (const stream of streams) Object.assign(stream, { events: 0, bytes: 0, silenceMs: 0 });
    },
    read() {
      refuseEnded();
      const now = performance.now();
      const seconds = (now - sinceMs) / 1_000;
      const events = streams.map((stream) => stream.events).sort((a, b) => a - b);
      const silences = streams.map(({ silenceMs, lastAtMs }) => Math.max(silenceMs, now - lastAtMs));
      const bytes = streams.reduce((sum, stream) => sum + stream.bytes, 0);
      return {
        events: { least: events[0] ?? 0, median: events[events.length >> 1] ?? 0 },
        longestSilenceMs: Math.max(...silences),
        bytesPerSecond: bytes / streams.length / seconds,
      };
    },
    close() {
      for (const { sent } of streams) sent.destroy();
      agent.destroy();
    },
  };
}
