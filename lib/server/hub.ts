/**
 * The live hub: every open event stream of this process. One frame is written once for all who may see the same, and whether they
 * still may is asked again while their streams are open.
 */
import { CEILINGS } from '@/lib/contract/ceilings';
import { RedriveError } from '@/lib/contract/errors';
import type { Frame } from '@/lib/contract/live';
import type { Within } from '@/lib/contract/permissions';
import { holderOf, type Principal, shareHolderOf, withinOf } from './access/principal';
import { Recheck } from './recheck';
import { getSampler, type Sample } from './sampler';
import { singleton } from './singleton';
import { visibleFrame } from './visible';

export const STREAMS_MAX = CEILINGS.streams.whole;
/** Of one person, with all their tokens: some twenty tabs. */
export const STREAMS_PER_PRINCIPAL_MAX = CEILINGS.streams.perUser;
/** A stream is closed after this long; the browser opens the next one by itself. */
const STREAM_MAX_AGE_MS = 3_600_000;
/** Chunks a client may lag behind before it is dropped: slow readers must not become our memory. */
const BACKLOG_MAX = 10;

/** The hour of minutes behind the sparklines is most of a frame and changes slowly: it travels with every tenth one. */
const MINUTES_EVERY = 10;

export interface Client {
  principal: Principal;
  /** What they may see, and a name for it: who has the same name is sent the same bytes. */
  within: Within;
  view: string;
  controller: ReadableStreamDefaultController<Uint8Array>;
  /** Ends its stream. `reason` is told to the browser, so that it does not open the next one. */
  close(reason?: 'signed-out'): void;
}

export class Hub {
  private readonly clients = new Set<Client>();
  private unsubscribe: (() => void) | null = null;
  private readonly encoder = new TextEncoder();
  private sequence = 0;
  private closed = false;
  private readonly recheck = new Recheck(this.clients, (client, principal) => this.admit(client, principal));

  /** @throws RedriveError TOO_MANY_STREAMS */
  open(
    principal: Principal,
    signal: AbortSignal,
    most = STREAMS_PER_PRINCIPAL_MAX,
  ): ReadableStream<Uint8Array> {
    this.requireRoom(principal, most);
    let client: Client | null = null;
    return new ReadableStream<Uint8Array>({
      start: (controller) => {
        client = this.enter(principal, controller);
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

  /** Somebody's session, token or rights were changed by this console: who is connected is looked at now, not in a few seconds. */
  rightsChanged(): void {
    this.recheck.now();
  }

  /** Ends every stream, so that the server can stop: it would wait for them for ever. */
  closeAll(): void {
    this.closed = true;
    for (const client of [...this.clients]) client.close();
  }

  private requireRoom(principal: Principal, most: number): void {
    if (this.closed) throw new RedriveError('REDIS_UNAVAILABLE', 'The console is shutting down.');
    const asking = shareHolderOf(principal);
    const holder = holderOf(principal);
    const { reserve, perTenant } = CEILINGS.streams;
    if (this.clients.size >= STREAMS_MAX + (holder !== null && asking.isAdmin ? reserve : 0))
      throw new RedriveError(
        'TOO_MANY_STREAMS',
        `${STREAMS_MAX} live connections are open already. The console polls instead; close some tabs.`,
      );
    if (holder === null) return;
    const full = asking.isAdmin
      ? undefined
      : asking.tenants.find((tenant) => this.openOf(tenant) >= perTenant);
    if (full !== undefined)
      throw new RedriveError(
        'TOO_MANY_STREAMS',
        `The users of tenant ${full} have ${perTenant} of ${STREAMS_MAX} live connections open already. The console polls instead; close some tabs.`,
      );
    const own = [...this.clients].filter((client) => holderOf(client.principal) === holder).length;
    if (own >= most)
      throw new RedriveError(
        'TOO_MANY_STREAMS',
        `You have ${most} live connections open already. The console polls instead; close some tabs.`,
      );
  }

  /** By users whose rights end at this tenant, or at some others besides. */
  private openOf(tenant: string): number {
    let open = 0;
    for (const { principal } of this.clients)
      if (shareHolderOf(principal).tenants.includes(tenant)) open += 1;
    return open;
  }

  private enter(principal: Principal, controller: Client['controller']): Client {
    const client: Client = {
      principal,
      within: [],
      view: '',
      controller,
      close: (reason) => {
        clearTimeout(timer);
        if (!this.clients.delete(client)) return;
        try {
          if (reason) controller.enqueue(this.encoder.encode(`event: ${reason}\ndata: {}\n\n`));
          controller.close();
        } catch {
          // Already closed from the other side.
        }
        if (this.clients.size === 0) this.rest();
      },
    };
    const timer = setTimeout(() => client.close(), STREAM_MAX_AGE_MS);
    timer.unref();
    this.admit(client, principal);
    this.clients.add(client);
    return client;
  }

  /** From the next frame on it is sent what the principal may see now. */
  private admit(client: Client, principal: Principal): void {
    client.principal = principal;
    client.within = withinOf(principal, 'view');
    client.view = JSON.stringify(client.within);
    // Signed in, but with nothing to see: whoever opens the next stream is told so.
    if (client.within.length === 0) client.close();
  }

  private watch(): void {
    this.unsubscribe ??= getSampler().subscribe((sample) => this.broadcast(sample));
  }

  private rest(): void {
    this.unsubscribe?.();
    this.unsubscribe = null;
  }

  /** A newcomer gets the present state at once, not with the next tick. */
  private async greet(client: Client): Promise<void> {
    const sample = await getSampler()
      .current()
      .catch(() => null);
    if (!sample || !this.clients.has(client)) return;
    this.sequence += 1;
    this.send(client, this.encode(visibleFrame(sample, client.within)));
  }

  private encode(frame: Frame): Uint8Array {
    return this.encoder.encode(`event: frame\nid: ${this.sequence}\ndata: ${JSON.stringify(frame)}\n\n`);
  }

  private broadcast(sample: Sample): void {
    this.sequence += 1;
    const whole = this.sequence % MINUTES_EVERY === 0;
    const chunks = new Map<string, Uint8Array>();
    const isFresh = sample.frame.overview.fresh;
    for (const client of [...this.clients]) {
      // What is not fresh was sent before, and says that Redis is away.
      if (isFresh && !this.recheck.isGood(client)) continue;
      let chunk = chunks.get(client.view);
      if (!chunk) {
        const frame = visibleFrame(sample, client.within);
        chunk = this.encode(whole ? frame : withoutMinutes(frame));
        chunks.set(client.view, chunk);
      }
      this.send(client, chunk);
    }
    this.recheck.due(isFresh);
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
  const sums = { ...frame.overview.sums, minutes: [] };
  return { ...frame, overview: { ...frame.overview, queues, sums } };
}

export const getHub = singleton('hub', () => new Hub());
