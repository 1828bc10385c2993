/**
 * Finds out whether one side speaks TLS and the other does not, which ioredis cannot tell: by a connection of its own, without name,
 * password or data.
 */
import { connect as connectPlain } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Cluster, Redis, RedisOptions } from 'ioredis';
import { type HostPort, hostPortsOf, type RedisAddress } from './redis-address';

const ANSWERS_WITHIN_MS = 1_000;
const HOSTS_ASKED = 3;

/** Words for `unavailable` to make a reason of; null: nothing found. */
export type Diagnosis = () => Promise<string | null>;
const diagnoses = new WeakMap<Redis | Cluster, Diagnosis>();

/** What `diagnose` will ask when this connection does not come about. */
export function rememberDiagnosis(
  redis: Redis | Cluster,
  address: RedisAddress,
  readTls: () => Promise<RedisOptions['tls']>,
): void {
  const hostPorts = hostPortsOf(address).slice(0, HOSTS_ASKED);
  if (hostPorts.length === 0) return;
  diagnoses.set(redis, async () => {
    const tls = await readTls();
    const found = await Promise.all(
      hostPorts.map((hostPort) => (tls ? plainAt(hostPort, tls) : tlsAt(hostPort))),
    );
    return found.find((words) => words !== null) ?? null;
  });
}

/** Never rejects, and ends within some two seconds. Null for a connection the application brought. */
export const diagnose = async (redis: Redis | Cluster): Promise<string | null> =>
  (await diagnoses
    .get(redis)?.()
    .catch(() => null)) ?? null;

/** A server without TLS answers a PING in the clear. One with TLS says, by its certificate, why it was not accepted. */
async function plainAt(
  { host, port }: HostPort,
  tls: NonNullable<RedisOptions['tls']>,
): Promise<string | null> {
  const socket = connectPlain({ host, port }, () => socket.write('PING\r\n'));
  const answer = await firstOf(socket, 'data');
  if (answer instanceof Buffer && /^[+-]/.test(answer.toString('latin1'))) return 'wrong version number';
  const failure = await firstOf(
    connectTls({ host, port, servername: nameFor(host), ...tls }),
    'secureConnect',
  );
  return isAboutCertificate(failure) ? failure.message : null;
}

/** A server with an untrusted certificate still speaks TLS. */
async function tlsAt({ host, port }: HostPort): Promise<string | null> {
  const found = await firstOf(connectTls({ host, port, servername: nameFor(host) }), 'secureConnect');
  return found === 'secureConnect' || isAboutCertificate(found) ? 'server speaks TLS' : null;
}

const isAboutCertificate = (value: unknown): value is Error =>
  value instanceof Error && /certificate|altnames|self.signed|unable to (?:get|verify)/i.test(value.message);

/** TLS has no names for addresses. */
const nameFor = (host: string): string | undefined => (/^[\d.]+$|:/.test(host) ? undefined : host);

/** The first thing that happens: the event (its value, or its name), an error, or null when nothing does. */
function firstOf(socket: ReturnType<typeof connectPlain>, event: 'data' | 'secureConnect'): Promise<unknown> {
  return new Promise((resolve) => {
    const end = (value: unknown) => {
      clearTimeout(timer);
      resolve(value);
      socket.destroy();
    };
    const timer = setTimeout(end, ANSWERS_WITHIN_MS, null);
    socket.on(event, (value: unknown) => end(value ?? event));
    socket.on('error', end);
    socket.on('close', () => end(null));
  });
}
