/** A network that misbehaves on command: between a client and a server on loopback, it can stall, swallow replies, or hang up. */
import net from 'node:net';

type Mode = 'pass' | 'stall' | 'drop-replies' | 'refuse';

export interface TestProxy {
  readonly port: number;
  /** Connections open at this moment. */
  readonly open: number;
  /** Connections accepted so far. */
  readonly accepted: number;
  /** Replies that `answer` changed so far. */
  readonly rewritten: number;
  /**
   * `stall` forwards nothing and closes nothing, as a black hole; what was sent meanwhile arrives after the next `pass`.
   * `drop-replies` lets the server hear everything and the client nothing. `refuse` hangs up on whoever comes.
   */
  set(mode: Mode): void;
  /** Ends all connections with a RST, as a firewall or a dying machine would. */
  reset(): void;
  close(): Promise<void>;
}

/** @param answer what the client is told instead of what came from the server, read as latin1 */
export async function startProxy(
  target: { port: number } | { path: string },
  answer?: (reply: string) => string,
): Promise<TestProxy> {
  let rewritten = 0;
  const told = (data: Buffer): Buffer => {
    if (!answer) return data;
    const reply = data.toString('latin1');
    const other = answer(reply);
    if (other !== reply) rewritten += 1;
    return Buffer.from(other, 'latin1');
  };
  let mode: Mode = 'pass';
  let accepted = 0;
  const pairs = new Set<{ client: net.Socket; server: net.Socket }>();
  const obey = ({ client, server }: { client: net.Socket; server: net.Socket }) => {
    if (mode === 'stall') {
      client.pause();
      server.pause();
    } else {
      client.resume();
      server.resume();
    }
  };
  const listener = net.createServer((client) => {
    accepted += 1;
    if (mode === 'refuse') return void client.resetAndDestroy();
    const server = net.connect(target);
    const pair = { client, server };
    pairs.add(pair);
    client.on('data', (data) => server.write(data));
    server.on('data', (data) => mode !== 'drop-replies' && client.write(told(data)));
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      one.on('error', () => undefined);
      one.on('close', () => {
        pairs.delete(pair);
        other.destroy();
      });
    }
    obey(pair);
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const reset = () => {
    for (const { client, server } of pairs) {
      client.resetAndDestroy();
      server.destroy();
    }
  };
  return {
    port: (listener.address() as net.AddressInfo).port,
    get open() {
      return pairs.size;
    },
    get accepted() {
      return accepted;
    },
    get rewritten() {
      return rewritten;
    },
    set(next) {
      mode = next;
      for (const pair of pairs) obey(pair);
    },
    reset,
    close() {
      reset();
      return new Promise((resolve) => listener.close(() => resolve()));
    },
  };
}
