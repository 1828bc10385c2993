/**
 * bee-queue, tuned as its own documentation advises for speed: no events, nothing kept in memory or in Redis once done, and
 * a producer that opens no worker connection.
 */
import { bodyWithTenant } from './bench-payload';
import { type BenchJob, MAX_ATTEMPTS, type OpenSide, TENANT } from './bench-side';
import { loadBee } from './peer-types';

const TUNED = { getEvents: false, sendEvents: false, storeJobs: false, removeOnSuccess: true };
/** Its own default, at which it is recommended to look for jobs whose worker died. */
const STALL_CHECK_MS = 5_000;
const CLOSE_MS = 5_000;

export const openBee: OpenSide = async ({ path, queue, onTrouble }) => {
  const Bee = loadBee();
  const redis = { path };
  const producer = new Bee(queue, { redis, ...TUNED, isWorker: false });
  producer.on('error', onTrouble);
  await producer.ready();
  const jobOf = ({ n, at, tenant = TENANT }: BenchJob) =>
    producer.createJob(bodyWithTenant(n, at, tenant)).retries(MAX_ATTEMPTS - 1);
  return {
    add: (job) => jobOf(job).save(),
    async addBulk(jobs) {
      const errors = await producer.saveAll(jobs.map(jobOf));
      for (const error of errors.values()) throw error;
    },
    async worker({ concurrency, handle, onDone }) {
      const worker = new Bee(queue, { redis, ...TUNED });
      worker.on('succeeded', () => onDone(1));
      worker.on('failed', (_job, error) => onTrouble(error));
      worker.on('error', onTrouble);
      await worker.ready();
      return {
        start() {
          worker.process(concurrency, async ({ data }) => handle(data.n, data.at));
          void worker.checkStalledJobs(STALL_CHECK_MS).catch(onTrouble);
        },
        stop: () => worker.close(CLOSE_MS),
      };
    },
    async left() {
      const { waiting, active, delayed, failed } = await producer.checkHealth();
      return { waiting: waiting + delayed + failed, inFlight: active };
    },
    close: () => producer.close(CLOSE_MS),
  };
};
