/** For the tests: a process that does one thing to a queue over and over, until it is killed. Arguments: Redis, queue, what, lease in ms. */
import { createBroker } from '@/testing/create-broker';

const [url = '', queue = '', what = '', leaseMs = '1000'] = process.argv.slice(2);
const broker = createBroker({ url });
const say = (word: string) => process.stdout.write(`${word}\n`);
const worker = `p${process.pid}`;
const lease = Number(leaseMs);

const TURNS: Record<string, () => Promise<unknown>> = {
  promote: () => broker.maintain(queue),
  /** Takes a few, keeps some for a moment, ends some well and some badly, and forgets the rest. */
  claim: async () => {
    const { jobs } = await broker.claim(queue, { worker, leaseMs: lease, count: 1 + (process.pid % 7) });
    await broker.extend(queue, jobs, lease);
    const [first, second, ...rest] = jobs;
    await broker.ack(queue, rest);
    if (first) await broker.release(queue, [first]);
    if (second) {
      const { claimed } = await broker.exchange(queue, [second], { worker, leaseMs: lease, count: 2 });
      await broker.fail(
        queue,
        claimed.jobs.map(({ jobId, token }) => ({
          jobId,
          token,
          failure: { errorClass: 'retryable' as const, errorCode: 'AGAIN', message: '', retryInMs: 20 },
        })),
      );
    }
  },
  /** Fills its hands and waits for its end. */
  hold: async () => {
    let held = 0;
    while (held < 5_000) {
      const { jobs } = await broker.claim(queue, { worker, leaseMs: lease, count: 500 });
      if (jobs.length === 0) break;
      held += jobs.length;
    }
    say(`holds ${held}`);
    await new Promise(() => undefined);
  },
};

await broker.ready();
say(`up ${worker}`);
for (;;) await TURNS[what]?.();
