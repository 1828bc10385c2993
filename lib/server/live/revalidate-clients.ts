/** Revalidates the principals of open event streams every few seconds, once for all streams of a session. */
import pLimit from 'p-limit';
import type { AccessScope } from '@/lib/contract/access/grant-scopes';
import { RedriveError } from '@/lib/contract/redrive-error';
import type { Principal } from '../authentication/principal';
import { revalidatePrincipal } from '../authentication/resolve-principal';
import type { FrameReceiver } from './frame-groups';

/** With the time to the next frame, a revoked right takes effect within five seconds. */
const EVERY_MS = 3_500;
/** After this long without revalidation a stream gets nothing new: its rights may have been revoked. */
const GOOD_FOR_MS = 5_000;
/** A stream that could not be revalidated for so long, while Redis answers, is closed: the browser then opens another. */
const UNKNOWN_MAX_MS = 30_000;
const AT_ONCE = 10;

export interface LiveClient extends FrameReceiver {
  principal: Principal;
  within: AccessScope;
  view: string;
  controller: ReadableStreamDefaultController<Uint8Array>;
  /** Ends its stream. The browser gets `reason`, so that it does not open the next one. */
  close(reason?: 'signed-out'): void;
}

export class ClientRevalidation {
  /** When each stream was last revalidated, in ms of performance.now(). */
  private readonly goodAt = new WeakMap<LiveClient, number>();
  private running = false;
  private again = false;

  constructor(
    private readonly clients: ReadonlySet<LiveClient>,
    /** Takes the principal as it is now. */
    private readonly admit: (client: LiveClient, principal: Principal) => void,
  ) {}

  /** With each frame: revalidates the streams that are due. */
  due(redisAnswers: boolean): void {
    const now = performance.now();
    const due = [...this.clients].filter((client) => now - this.sinceOf(client) >= EVERY_MS);
    for (const client of due)
      if (redisAnswers && now - this.sinceOf(client) >= UNKNOWN_MAX_MS) client.close();
    if (due.length > 0 && !this.running) void this.ask(due);
  }

  /** Whether a stream was revalidated recently enough to get new frames. */
  isGood(client: LiveClient): boolean {
    return performance.now() - this.sinceOf(client) < GOOD_FOR_MS;
  }

  /** Revalidates all streams; a call meanwhile repeats it, since the change may be younger than the answers. */
  now(): void {
    if (this.running) this.again = true;
    else if (this.clients.size > 0) void this.ask([...this.clients]);
  }

  private sinceOf(client: LiveClient): number {
    const since = this.goodAt.get(client);
    if (since !== undefined) return since;
    // It was resolved when its stream was opened.
    const now = performance.now();
    this.goodAt.set(client, now);
    return now;
  }

  private async ask(due: readonly LiveClient[]): Promise<void> {
    this.running = true;
    const limit = pLimit(AT_ONCE);
    await Promise.all([...bySession(due).values()].map((clients) => limit(() => this.askOne(clients))));
    this.running = false;
    if (!this.again) return;
    this.again = false;
    this.now();
  }

  /** Never rejects. */
  private async askOne(clients: readonly LiveClient[]): Promise<void> {
    const [first] = clients;
    if (!first) return;
    try {
      const principal = await revalidatePrincipal(first.principal);
      for (const client of clients) {
        if (!this.clients.has(client)) continue;
        this.goodAt.set(client, performance.now());
        this.admit(client, principal);
      }
    } catch (error) {
      // Without an answer the stream gets nothing new: see isGood.
      if (!(error instanceof RedriveError) || error.code !== 'UNAUTHENTICATED') return;
      for (const client of clients) client.close('signed-out');
    }
  }
}

function bySession(clients: readonly LiveClient[]): Map<string, LiveClient[]> {
  const sessions = new Map<string, LiveClient[]>();
  for (const client of clients) {
    const { via, id } = client.principal;
    const key = via ?? id;
    sessions.set(key, [...(sessions.get(key) ?? []), client]);
  }
  return sessions;
}
