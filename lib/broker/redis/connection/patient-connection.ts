/** The two deadlines of ioredis that take a standing event loop for a silent Redis, made patient on our own connections. */
import { Cluster, Command, type Redis } from 'ioredis';
import { patientTimer } from './patient-timer';

/** A Cluster makes the connections to its nodes later, each with options of its own. */
export function makePatient(redis: Redis | Cluster): void {
  if (redis instanceof Cluster) redis.on('+node', makeNodePatient);
  else makeNodePatient(redis);
}

function makeNodePatient(redis: Redis): void {
  const sendCommand = redis.sendCommand.bind(redis);
  redis.sendCommand = (command, stream) => {
    // Scripts bring a patient deadline of their own.
    if (command.setTimeout === Command.prototype.setTimeout) command.setTimeout = patientTimeout;
    return sendCommand(command, stream);
  };
  Reflect.set(redis, 'setSocketTimeout', () => watchSilence(redis));
}

/** Stands in for the method of `Command`, which clears the timer when the command settles. */
function patientTimeout(this: Command, ms: number): void {
  if (Reflect.get(this, '_commandTimeoutTimer')) return;
  patientTimer(
    ms,
    () => {
      if (!this.isSettled) this.reject(new Error('Command timed out'));
    },
    (timer) => Reflect.set(this, '_commandTimeoutTimer', timer),
  );
}

/** Stands in for `setSocketTimeout`: ends a connection that stays silent while answers are due. ioredis clears the timer at its close. */
function watchSilence(redis: Redis): void {
  const { stream } = redis;
  const ms = redis.options.socketTimeout;
  if (ms === undefined) return;
  const keep = (timer: NodeJS.Timeout | undefined) => Reflect.set(redis, 'socketTimeoutTimer', timer);
  const end = () => {
    keep(undefined);
    stream.destroy(new Error(`Socket timeout: nothing came for ${ms} ms.`));
  };
  patientTimer(ms, end, keep);
  // Behind ioredis's own listener, which takes answered commands out of the queue.
  stream.once('data', () => {
    clearTimeout(Reflect.get(redis, 'socketTimeoutTimer'));
    keep(undefined);
    const { length } = Reflect.get(redis, 'commandQueue');
    if (length > 0) watchSilence(redis);
  });
}
