/** Turns fairness between tenants on or off. */
import { createBroker } from '@/lib/broker';

export async function setFair(path: string, queue: string, fair: boolean): Promise<void> {
  const broker = createBroker({ url: path });
  await broker.config.change(
    queue,
    { fair: fair ? 'tenant' : 'none' },
    { actor: 'bench', reason: 'a benchmark' },
  );
  broker.close();
}
