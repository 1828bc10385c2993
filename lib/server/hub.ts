/** The live hub: every open event stream of this process. One frame is written once and sent to all. */
import { RedriveError } from '@/lib/contract/errors';
import type { Frame } from '@/lib/contract/live';
import { getSampler } from './sampler';
import { singleton } from './singleton';

export const STREAMS_MAX = 500;
/** A stream is closed after this long; the browser opens the next one by itself. */
const STREAM_MAX_AGE_MS = 3_600_000;
/** Chunks a client may lag behind before it is dropped: slow readers must not become our memory. */
const BACKLOG_MAX = 10;

/** The hour of minutes behind the sparklines is most of a frame and changes slowly: it travels with every tenth one. */
const MINUTES_EVERY = 10;

interface Client {
  controller: ReadableStreamDefaultController<Uint8Array>;
  close(): void;
}

export class Hub {
  private readonly clients = new Set<Client>();
  private unsubscribe: (() => void) | null = null;
  private readonly encoder = new TextEncoder();
  private sequence = 0;
  private closed = false;

  /** @throws RedriveError TOO_MANY_STREAMS */
  open(signal: AbortSignal): ReadableStream<Uint8Array> {
    if (this.closed) throw new RedriveError('REDIS_UNAVAILABLE', 'The console is shutting down.');
    if (this.clients.size >= STREAMS_MAX)
      throw new RedriveError(
        'TOO_MANY_STREAMS',
        `${STREAMS_MAX} live connections are open already. The console polls instead; close some tabs.`,
      );
    let client: Client | null = null;
    return new ReadableStream<Uint8Array>({
      start: (controller) => {
        const timer = setTimeout(() => client?.close(), STREAM_MAX_AGE_MS);
        timer.unref();
        client = {
          controller,
          close: () => {
            clearTimeout(timer);
            if (client && this.clients.delete(client)) {
              try {
                controller.close();
              } catch {
                // Already closed from the other side.
              }
            }
            if (this.clients.size === 0) this.rest();
          },
        };
        this.clients.add(client);
        if (signal.aborted) client.close();
        else signal.addEventListener('abort', () => client?.close(), { once: true });
        controller.enqueue(this.encoder.encode('retry: 2000\n\n'));
        this.watch();
        void this.greet(client);
      },
      cancel: () => client?.close(),
    });
  }

  get size(): number {
    return this.clients.size;
  }

  /** Ends every stream, so that the server can stop: it would wait for them for ever. */
  closeAll(): void {
    this.closed = true;
    for (const client of [...this.clients]) client.close();
  }

  private watch(): void {
    this.unsubscribe ??= getSampler().subscribe((frame) => this.broadcast(frame));
  }

  private rest(): void {
    this.unsubscribe?.();
    this.unsubscribe = null;
  }

  /** A newcomer gets the present state at once, not with the next tick. */
  private async greet(client: Client): Promise<void> {
    const frame = await getSampler()
      .current()
      .catch(() => null);
    if (frame && this.clients.has(client)) this.send(client, this.encode(frame));
  }

  private encode(frame: Frame): Uint8Array {
    this.sequence += 1;
    return this.encoder.encode(`event: frame\nid: ${this.sequence}\ndata: ${JSON.stringify(frame)}\n\n`);
  }

  private broadcast(frame: Frame): void {
    const chunk = this.encode(this.sequence % MINUTES_EVERY === 0 ? frame : withoutMinutes(frame));
    for (const client of [...this.clients]) this.send(client, chunk);
  }

  private send(client: Client, chunk: Uint8Array): void {
    try {
      if ((client.controller.desiredSize ?? 0) < -BACKLOG_MAX) client.close();
      else client.controller.enqueue(chunk);
    } catch {
      client.close();
    }
  }
}

/** An empty series means: as before. The browser keeps what it has. */
function withoutMinutes(frame: Frame): Frame {
  const queues = frame.overview.queues.map((queue) => ({ ...queue, minutes: [] }));
  return { ...frame, overview: { ...frame.overview, queues } };
}

export const getHub = singleton('hub', () => new Hub());
