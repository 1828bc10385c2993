/**
 * Why nothing answers as it should: the one thing ioredis cannot tell is that one side speaks TLS and the other does not. Asked
 * of the server itself, by a connection of its own that sends no name, no password and no data.
 */
import { connect as connectPlain } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { RedisOptions } from 'ioredis';
import type { RedisConnection } from './connection';
import type { Place, RedisAddress } from './redis-url';

const ANSWERS_WITHIN_MS = 1_000;
const PLACES_ASKED = 3;

/** Words for `unavailable` to make a reason of; null: nothing found. */
export type Diagnosis = () => Promise<string | null>;
const diagnoses = new WeakMap<RedisConnection, Diagnosis>();

/** What `diagnose` will ask when this connection does not come about. */
export function rememberDiagnosis(
  redis: RedisConnection,
  address: RedisAddress,
  tls: RedisOptions['tls'],
): void {
  const places = placesOf(address).slice(0, PLACES_ASKED);
  if (places.length === 0) return;
  diagnoses.set(redis, async () => {
    const found = await Promise.all(places.map((place) => (tls ? plainAt(place, tls) : tlsAt(place))));
    return found.find((words) => words !== null) ?? null;
  });
}

/** Never rejects, and ends within some two seconds. Null for a connection the application brought. */
export const diagnose = async (redis: RedisConnection): Promise<string | null> =>
  (await diagnoses
    .get(redis)?.()
    .catch(() => null)) ?? null;

function placesOf(address: RedisAddress): readonly Place[] {
  if (address.kind === 'server') return [address.place];
  if (address.kind === 'sentinel') return address.sentinels;
  return address.kind === 'cluster' ? address.nodes : [];
}

/** A server without TLS answers a PING in the clear. One with TLS says, by its certificate, why it was not accepted. */
async function plainAt({ host, port }: Place, tls: NonNullable<RedisOptions['tls']>): Promise<string | null> {
  const socket = connectPlain({ host, port }, () => socket.write('PING\r\n'));
  const answer = await firstOf(socket, 'data');
  if (answer instanceof Buffer && /^[+-]/.test(answer.toString('latin1'))) return 'wrong version number';
  const failure = await firstOf(
    connectTls({ host, port, servername: nameFor(host), ...tls }),
    'secureConnect',
  );
  return isAboutCertificate(failure) ? failure.message : null;
}

/** A certificate that is not trusted here speaks TLS all the same. */
async function tlsAt({ host, port }: Place): Promise<string | null> {
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
