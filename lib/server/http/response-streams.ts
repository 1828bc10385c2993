/** Responses that are written while their data is found: searches and files. Each is only as fast as its client reads. */
import { RedriveError } from '@/lib/contract/redrive-error';
import { ReadShare } from '@/lib/process/read-share';

/** Beyond the maximum, for administrators. */
const ADMIN_RESERVE = 1;

interface Limits {
  /** For the refusal: "searches". */
  readonly what: string;
  /** At once in this process. */
  readonly most: number;
  /** At once by one user. */
  readonly mostEach?: number;
  /** A client that does not read for so long is disconnected. */
  readonly idleMs: number;
}

export class ResponseStreams {
  /** Each with its user; null: none. */
  private readonly open = new Map<AbortController, string | null>();
  private readonly encoder = new TextEncoder();
  private closed = false;

  constructor(private readonly limits: Limits) {}

  get size(): number {
    return this.open.size;
  }

  /**
   * A response body from what `make` yields. An error before the first piece is thrown, so that it gets its own status; a later one breaks
   * the connection, so that no client mistakes a part for the whole.
   * @param user the user it counts for; null: none
   * @throws RedriveError TOO_MANY_STREAMS, and what `make` throws first
   */
  async start(
    make: (signal: AbortSignal) => AsyncGenerator<string, void>,
    client: AbortSignal,
    user: string | null = null,
    isAdmin = false,
  ): Promise<ReadableStream<Uint8Array>> {
    const own = this.take(user, isAdmin);
    const signal = AbortSignal.any([own.signal, client]);
    const share = ReadShare.current();
    share?.keep();
    own.signal.addEventListener('abort', () => share?.end(), { once: true });
    const source = make(signal);
    // The reader of the body pulls: the share of the request would not follow there.
    const next = () => (share ? share.run(() => source.next()) : source.next());
    let first: IteratorResult<string, void> | null;
    try {
      first = await next();
    } catch (error) {
      this.release(own);
      throw error;
    }
    return this.body({ next, return: () => source.return() }, first, own, signal);
  }

  /** Ends all of them, so that the server can stop. */
  closeAll(): void {
    this.closed = true;
    for (const own of [...this.open.keys()]) own.abort();
  }

  private take(user: string | null, isAdmin: boolean): AbortController {
    const { what, most, mostEach = most } = this.limits;
    if (this.closed) throw new RedriveError('REDIS_UNAVAILABLE', 'The console is shutting down.');
    if (this.open.size >= most + (isAdmin && user !== null ? ADMIN_RESERVE : 0))
      throw new RedriveError(
        'TOO_MANY_STREAMS',
        `${most} ${what} are running in this console already. Wait until one has ended, or stop one.`,
      );
    const theirs = [...this.open.values()].filter((one) => one === user).length;
    if (user !== null && theirs >= mostEach)
      throw new RedriveError(
        'TOO_MANY_STREAMS',
        `${mostEach} of your ${what} are running already. Wait until one has ended, or stop one.`,
      );
    const own = new AbortController();
    this.open.set(own, user);
    return own;
  }

  private release(own: AbortController): void {
    own.abort();
    this.open.delete(own);
  }

  private body(
    source: Pick<AsyncGenerator<string, void>, 'next' | 'return'>,
    first: IteratorResult<string, void> | null,
    own: AbortController,
    signal: AbortSignal,
  ): ReadableStream<Uint8Array> {
    let ready = first;
    let idle: NodeJS.Timeout | undefined;
    let end: (error?: Error) => void = () => undefined;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        const leave = () => end(new Error('the stream was ended'));
        end = (error) => {
          end = () => undefined;
          clearTimeout(idle);
          signal.removeEventListener('abort', leave);
          this.release(own);
          // The client has left: errors no longer matter.
          void source.return().catch(() => undefined);
          if (error) controller.error(error);
          else controller.close();
        };
        if (signal.aborted) leave();
        else signal.addEventListener('abort', leave, { once: true });
      },
      pull: async (controller) => {
        clearTimeout(idle);
        try {
          const { done, value } = ready ?? (await source.next());
          ready = null;
          if (signal.aborted) return;
          if (done) return end();
          controller.enqueue(this.encoder.encode(value));
        } catch (error) {
          return end(error instanceof Error ? error : new Error(String(error)));
        }
        idle = setTimeout(() => end(new Error('the client does not read the stream')), this.limits.idleMs);
        idle.unref();
      },
      cancel: () => own.abort(),
    });
    return body;
  }
}
