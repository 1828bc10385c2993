/** For the tests: another worker process. Takes one overdue job over and prints its id. Arguments: Redis, queue. */
import { createBroker } from '@/lib/broker/application';

const [url, queue = ''] = process.argv.slice(2);
const broker = createBroker({ url });
const deadline = Date.now() + 10_000;
let jobId: string | undefined;
while (jobId === undefined && Date.now() < deadline) {
  await broker.reclaim(queue);
  jobId = (await broker.claim(queue, { worker: 'another', leaseMs: 60_000 })).jobs[0]?.jobId;
}
process.stdout.write(String(jobId));
broker.close();
