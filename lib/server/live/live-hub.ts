/**
 * The live hub: every open event stream of this process. A frame is written once for all viewers with the same scope, and viewers are
 * revalidated while their streams are open.
 */

import { closedError } from '@/lib/broker/redis/connection-health';
import { QUOTAS } from '@/lib/contract/access/quotas';
import { RedriveError } from '@/lib/contract/redrive-error';
import { type Principal, quotaOwner, quotaOwnerId, scopeOf } from '../authentication/principal';
import { shownError } from '../shown-error';
import { singleton } from '../singleton';
import { FrameGroups } from './frame-groups';
import { ClientRevalidation, type LiveClient } from './revalidate-clients';
import { getSampler, type Sample } from './sampler';

const STREAMS_MAX = QUOTAS.streams.total;
/** Of one user, with all their tokens: some twenty tabs. */
const STREAMS_PER_PRINCIPAL_MAX = QUOTAS.streams.perUser;
/** A stream is closed after this long; the browser then opens the next. */
const STREAM_MAX_AGE_MS = 3_600_000;
/** Chunks a client may lag behind before it is dropped: slow readers must not fill the memory. */
const BACKLOG_MAX = 10;

export class LiveHub {
  private readonly clients = new Set<LiveClient>();
  private unsubscribe: (() => void) | null = null;
  private readonly encoder = new TextEncoder();
  private readonly frames = new FrameGroups();
  private closed = false;
  private readonly revalidation = new ClientRevalidation(this.clients, (client, principal) =>
    this.admit(client, principal),
  );

  /** @throws RedriveError TOO_MANY_STREAMS */
  open(
    principal: Principal,
    signal: AbortSignal,
    /** Names of queues whose every number the frames carry. */
    { watched = [] }: { watched?: readonly string[] } = {},
  ): ReadableStream<Uint8Array> {
    this.requireRoom(principal, STREAMS_PER_PRINCIPAL_MAX);
    let client: LiveClient | null = null;
    return new ReadableStream<Uint8Array>({
      start: (controller) => {
        client = this.enter(principal, controller, watched);
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

  /** This console changed a session, a token or rights: all streams are revalidated now, not in a few seconds. */
  rightsChanged(): void {
    this.revalidation.now();
  }

  /** Ends every stream, so that the server can stop. */
  closeAll(): void {
    this.closed = true;
    for (const client of [...this.clients]) client.close();
  }

  private requireRoom(principal: Principal, most: number): void {
    if (this.closed) throw shownError(closedError());
    const asking = quotaOwner(principal);
    const holder = quotaOwnerId(principal);
    const { reserve, perTenant } = QUOTAS.streams;
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
    const own = [...this.clients].filter((client) => quotaOwnerId(client.principal) === holder).length;
    if (own >= most)
      throw new RedriveError(
        'TOO_MANY_STREAMS',
        `You have ${most} live connections open already. The console polls instead; close some tabs.`,
      );
  }

  /** Streams of users with a scope bound to this tenant. */
  private openOf(tenant: string): number {
    let open = 0;
    for (const { principal } of this.clients) if (quotaOwner(principal).tenants.includes(tenant)) open += 1;
    return open;
  }

  private enter(
    principal: Principal,
    controller: LiveClient['controller'],
    watched: readonly string[],
  ): LiveClient {
    const client: LiveClient = {
      principal,
      within: [],
      view: '',
      watched,
      sequence: null,
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

  /** The next frames show what the principal may see now. */
  private admit(client: LiveClient, principal: Principal): void {
    client.principal = principal;
    client.within = scopeOf(principal, 'view');
    const view = JSON.stringify(client.within);
    // What it has is of another group, so it gets a whole frame next.
    if (view !== client.view) client.sequence = null;
    client.view = view;
    // Nothing to see: the next attempt to open a stream is refused with the reason.
    if (client.within.length === 0) client.close();
  }

  private watch(): void {
    this.unsubscribe ??= getSampler().subscribe((sample) => this.broadcast(sample));
  }

  private rest(): void {
    this.unsubscribe?.();
    this.unsubscribe = null;
    // The next viewer must not be greeted with the frame of an hour ago.
    this.frames.forget([]);
  }

  /** A new client gets the present state at once, not with the next tick. */
  private async greet(client: LiveClient): Promise<void> {
    const sample = await getSampler()
      .current()
      .catch(() => null);
    // A broadcast may have come first.
    if (!sample || !this.clients.has(client) || client.sequence !== null) return;
    this.send(client, this.frames.greeting(client, sample));
  }

  private broadcast(sample: Sample): void {
    const frameOf = this.frames.turns(sample);
    const isFresh = sample.frame.overview.fresh;
    for (const client of [...this.clients]) {
      // A stale frame contains only what was sent before, and that Redis is unavailable.
      if (isFresh && !this.revalidation.isGood(client)) continue;
      this.send(client, frameOf(client));
    }
    this.frames.forget(this.clients);
    this.revalidation.due(isFresh);
  }

  private send(client: LiveClient, chunk: Uint8Array): void {
    try {
      if ((client.controller.desiredSize ?? 0) < -BACKLOG_MAX) client.close();
      else client.controller.enqueue(chunk);
    } catch {
      client.close();
    }
  }
}

export const getLiveHub = singleton('hub', () => new LiveHub());
