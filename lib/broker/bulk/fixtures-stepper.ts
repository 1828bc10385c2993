/**
 * For the tests: a console's runner with nothing around it. Steps an operation until it rests, or until it is killed.
 * Arguments: Redis, the operation, the name of this runner.
 */
import { setTimeout } from 'node:timers/promises';
import { createBroker } from '../broker';

const [url = '', id = '', runner = ''] = process.argv.slice(2);
const broker = createBroker({ url });
const say = (word: string) => process.stdout.write(`${word}\n`);

say('up');
for (let running = true; running; ) {
  const { operation, waitMs } = await broker.operations.step(id, runner);
  running = operation.status === 'running';
  say(`${operation.status} ${operation.moved}`);
  if (waitMs > 0) await setTimeout(waitMs);
}
say('over');
broker.close();
