/** BullMQ with its defaults. */
import { bodyWithTenant } from './bench-payload';
import { type BenchJob, JOB_TYPE, MAX_ATTEMPTS, type OpenSide, TENANT } from './bench-side';
import { loadBullMq } from './peer-types';

const OPTIONS = { attempts: MAX_ATTEMPTS };
const dataOf = ({ n, at, tenant = TENANT }: BenchJob) => bodyWithTenant(n, at, tenant);

export const openBullMq: OpenSide = async ({ path, queue, onTrouble }) => {
  const { Queue, Worker } = loadBullMq();
  const producer = new Queue(queue, { connection: { path } });
  producer.on('error', onTrouble);
  await producer.waitUntilReady();
  return {
    add: (job) => producer.add(JOB_TYPE, dataOf(job), OPTIONS),
    addBulk: (jobs) =>
      producer.addBulk(jobs.map((job) => ({ name: JOB_TYPE, data: dataOf(job), opts: OPTIONS }))),
    async worker({ concurrency, handle, onDone }) {
      const worker = new Worker(queue, async ({ data }) => handle(data.n, data.at), {
        connection: { path, maxRetriesPerRequest: null },
        concurrency,
        autorun: false,
      });
      worker.on('completed', () => onDone(1));
      worker.on('failed', (_job, error) => onTrouble(error));
      worker.on('error', onTrouble);
      await worker.waitUntilReady();
      return {
        start: () => void worker.run().catch(onTrouble),
        stop: () => worker.close(),
      };
    },
    async left() {
      const { active = 0, completed: _, ...rest } = await producer.getJobCounts();
      return { waiting: Object.values(rest).reduce((sum, count) => sum + count, 0), inFlight: active };
    },
    close: () => producer.close(),
  };
};
