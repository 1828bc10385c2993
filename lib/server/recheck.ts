/** Whether those with an open event stream may still have it: asked again every few seconds, once for all streams of a session. */
import { RedriveError } from '@/lib/contract/errors';
import type { Principal } from './access/principal';
import { stillGood } from './access/resolve';
import type { Client } from './hub';

/** With the time until the next frame it is under five seconds until a revoked right is gone. */
const EVERY_MS = 3_500;
/** So long after it was found good a stream is sent nothing new: its rights may have been taken away, and nobody can tell. */
const GOOD_FOR_MS = 5_000;
/** Who could not be asked about for so long, while Redis is read all the same, is let go: the browser opens another stream, and is asked. */
const UNKNOWN_MAX_MS = 30_000;
const AT_ONCE = 10;

export class Recheck {
  /** When each stream was found good, in ms of performance.now(). */
  private readonly goodAt = new WeakMap<Client, number>();
  private running = false;
  private again = false;

  constructor(
    private readonly clients: ReadonlySet<Client>,
    /** Takes the principal as it is now. */
    private readonly admit: (client: Client, principal: Principal) => void,
  ) {}

  /** With each frame: those whose time has come. */
  due(redisAnswers: boolean): void {
    const now = performance.now();
    const some = [...this.clients].filter((client) => now - this.sinceOf(client) >= EVERY_MS);
    for (const client of some)
      if (redisAnswers && now - this.sinceOf(client) >= UNKNOWN_MAX_MS) client.close();
    if (some.length > 0 && !this.running) void this.ask(some);
  }

  /** Whether a stream was found good lately enough to be sent what is new. */
  isGood(client: Client): boolean {
    return performance.now() - this.sinceOf(client) < GOOD_FOR_MS;
  }

  /** All of them. Asked for meanwhile, it is done once more: the change may be younger than the answers. */
  now(): void {
    if (this.running) this.again = true;
    else if (this.clients.size > 0) void this.ask([...this.clients]);
  }

  private sinceOf(client: Client): number {
    const since = this.goodAt.get(client);
    if (since !== undefined) return since;
    // It was resolved when its stream was opened.
    const now = performance.now();
    this.goodAt.set(client, now);
    return now;
  }

  private async ask(some: readonly Client[]): Promise<void> {
    this.running = true;
    const sessions = [...bySession(some).values()];
    const lane = async () => {
      for (let clients = sessions.pop(); clients; clients = sessions.pop()) await this.askOne(clients);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
    this.running = false;
    if (!this.again) return;
    this.again = false;
    this.now();
  }

  /** Never rejects. */
  private async askOne(clients: readonly Client[]): Promise<void> {
    const [first] = clients;
    if (!first) return;
    try {
      const principal = await stillGood(first.principal);
      for (const client of clients) {
        if (!this.clients.has(client)) continue;
        this.goodAt.set(client, performance.now());
        this.admit(client, principal);
      }
    } catch (error) {
      // Whose rights cannot be read is sent nothing new: see isGood.
      if (!(error instanceof RedriveError) || error.code !== 'UNAUTHENTICATED') return;
      for (const client of clients) client.close('signed-out');
    }
  }
}

function bySession(clients: readonly Client[]): Map<string, Client[]> {
  const sessions = new Map<string, Client[]>();
  for (const client of clients) {
    const { via, id } = client.principal;
    const key = via ?? id;
    sessions.set(key, [...(sessions.get(key) ?? []), client]);
  }
  return sessions;
}
