/** Whether Redis is there and fit for jobs: what every call asks first, and pays nothing for while all is well. */
import type { Cluster, Redis } from 'ioredis';
import { RedriveError } from '@/lib/contract/redrive-error';
import { withDeadline } from './call-deadline';
import { whyUnreachable } from './cluster-nodes';
import { patientTimer } from './connection/patient-timer';
import { listen } from './connection/shared-listeners';
import { closeOnRefusedSelect, refusedSelect } from './connection-identity';
import { readFormats, refuseNewer } from './dataset/data-format';
import { COMMAND_TIMEOUT_MS } from './redis-connection';
import { isClear, toRedriveError, unavailableError } from './redis-errors';
import { checkServer, isCluster, type ServerFacts } from './server-check';
import { diagnose } from './tls-diagnosis';

export interface ConnectionHealth {
  /** Null: go ahead. Otherwise the check to wait for. @throws RedriveError REDIS_UNAVAILABLE | REDIS_UNSAFE | DATA_NEWER | CLIENT_CLOSED */
  pending(): Promise<ServerFacts> | null;
  /** The server and its data were checked, and the connection stands. */
  isChecked(): boolean;
  /** Connects if need be and tells what was found. @throws RedriveError REDIS_UNSAFE | DATA_NEWER | REDIS_UNAVAILABLE */
  ready(): Promise<ServerFacts>;
  /** The next call checks the server and its data again. */
  recheck(): void;
  close(): void;
  isClosed(): boolean;
}

const REVIVE_AFTER_MS = 500;
const FORMATS_WITHIN_MS = 2_000;
/** A connection that takes longer is diagnosed meanwhile. */
const DIAGNOSE_AFTER_MS = 700;

/**
 * @param owned whether we opened the connection: then it is also ours to bring back from the dead, and to close
 * @param formatsKey where the data name their formats
 */
export function watchConnection(
  redis: Redis | Cluster,
  allowEviction: boolean,
  owned: boolean,
  formatsKey: string,
): ConnectionHealth {
  const known = new WeakMap<Redis, ServerFacts>();
  let facts: ServerFacts | null = null;
  let checking: Promise<ServerFacts> | null = null;
  // Between a lost connection and the next ready one, fail at once instead of queueing what would run at some later time.
  let down = false;
  let lastWords = '';
  /** What was found where the words of ioredis are not clear: kept until a connection comes about. */
  let diagnosis = '';
  let sentinelWords = '';
  let misplaced: RedriveError | null = null;
  let lastNode: Redis | undefined;
  let asking: Promise<void> = Promise.resolve();
  let closed = false;
  let reviving: NodeJS.Timeout | undefined;

  const stops: (() => void)[] = [];
  const on = (event: string, listener: (...values: never[]) => void) =>
    void stops.push(listen(redis, event, listener));
  const forget = () => {
    facts = null;
    checking = null;
  };
  on('error', (error: Error & { lastNodeError?: Error }) => {
    const { lastNodeError } = error;
    lastWords = lastNodeError ? `${error.message} Last error: ${lastNodeError.message}` : error.message;
    // The search for a Sentinel emits no other event.
    if (error.message.includes('sentinels are unreachable')) {
      down = true;
      if (!error.message.includes('Last error')) lastWords = sentinelWords || lastWords;
    }
    misplaced = isCluster(redis) ? null : refusedSelect(redis, error);
    if (misplaced) down = true;
    if (lastNode && lastNodeError?.message === 'Connection is closed.')
      asking = whyUnreachable(lastNode).then((why) => {
        if (why) lastWords = `${error.message} Last error: ${why}`;
      });
  });
  on('ready', () => {
    down = false;
    lastWords = '';
    diagnosis = '';
    misplaced = null;
  });
  on('close', () => {
    down = true;
    // Another server may answer after the reconnect: check again.
    forget();
  });
  on('end', () => {
    // A failover announced at the wrong moment ends ioredis's search for the master forever. Ours goes on.
    if (!owned || closed) return;
    reviving = setTimeout(() => void redis.connect().catch(() => undefined), REVIVE_AFTER_MS);
  });
  if (!isCluster(redis)) {
    stops.push(closeOnRefusedSelect(redis));
    // The application moved its own connection: check the new database.
    on('select', forget);
    on('sentinelError', (error: Error) => {
      sentinelWords = error.message.includes('invalid reply') ? error.message : '';
    });
  }
  if (isCluster(redis)) {
    on('node error', (error: Error) => {
      lastWords = error.message;
    });
    // Checks a new node in the background, so that a silent one delays no call.
    on('+node', (node: Redis) => {
      lastNode = node;
      if (!facts) return;
      checkServer(redis, allowEviction, known).catch((error: unknown) => {
        if (error instanceof RedriveError) forget();
      });
    });
  }

  // Connected and not ready: it answers, but is still reading its data. There is no event for that.
  const away = () => {
    if (closed) return closedError();
    if (misplaced) return misplaced;
    if (diagnosis && !isClear(lastWords)) return unavailableError(diagnosis);
    return unavailableError(redis.status === 'connect' ? 'LOADING' : lastWords);
  };
  const findReason = async () => {
    diagnosis = (await diagnose(redis)) ?? '';
  };
  const connected = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const settle = (outcome: () => void) => () => {
        clearTimeout(timer);
        clearTimeout(diagnoseTimer);
        for (const stop of listening) stop();
        outcome();
      };
      let reason: Promise<void> | undefined;
      const explain = async () => {
        await asking;
        if (!closed && !misplaced && !isClear(lastWords)) await (reason ?? findReason());
        reject(away());
      };
      const fail = settle(() => void explain());
      const failIfDown = () => down && fail();
      const diagnoseTimer = setTimeout(() => {
        reason = findReason().then(() => {
          if (diagnosis) fail();
        });
      }, DIAGNOSE_AFTER_MS);
      let timer: NodeJS.Timeout | undefined;
      patientTimer(COMMAND_TIMEOUT_MS, fail, (next) => {
        timer = next;
      });
      const listening = [
        listen(redis, 'ready', settle(resolve)),
        listen(redis, 'close', fail),
        listen(redis, 'end', fail),
        listen(redis, 'error', failIfDown),
      ];
      if (redis.status === 'wait') redis.connect().catch(() => undefined);
    });
  const check = async (): Promise<ServerFacts> => {
    try {
      if (redis.status !== 'ready') await connected();
      const [found, formats] = await Promise.all([
        withDeadline(checkServer(redis, allowEviction, known), COMMAND_TIMEOUT_MS),
        // The node of this key must not keep others from work; the next look at the data asks again.
        withDeadline(readFormats(redis, formatsKey), FORMATS_WITHIN_MS).catch(() => null),
      ]);
      if (formats !== null) refuseNewer(formats);
      facts = found;
      return found;
    } catch (error) {
      checking = null;
      throw closed ? closedError() : toRedriveError(error);
    }
  };
  const refuseWhenDown = () => {
    if (closed) throw closedError();
    if (redis.status === 'ready') return;
    if (
      down ||
      diagnosis !== '' ||
      redis.status === 'end' ||
      redis.status === 'close' ||
      redis.status === 'reconnecting'
    )
      throw away();
  };
  const pending = () => {
    refuseWhenDown();
    if (facts && redis.status === 'ready') return null;
    checking ??= check();
    return checking;
  };
  return {
    pending,
    ready: async () => {
      const wait = pending();
      return wait ?? (facts as ServerFacts);
    },
    isChecked: () => facts !== null && redis.status === 'ready',
    recheck: forget,
    close() {
      closed = true;
      clearTimeout(reviving);
      for (const stop of stops) stop();
      if (owned) redis.disconnect();
    },
    isClosed: () => closed,
  };
}

/** What every call after `close()` ends with. */
export const closedError = () =>
  new RedriveError(
    'CLIENT_CLOSED',
    'This client is closed: close() was called on it. Nothing was changed. Make a new one to go on.',
  );
