/** For the tests: a process that carries records into the audit log as fast as it can, until it is killed. Argument: Redis. */
import { setTimeout } from 'node:timers/promises';
import { openBroker } from '../open-broker';

const broker = openBroker({ url: process.argv[2] ?? '' });
process.stdout.write('up\n');
for (let thorough = true; ; thorough = false) {
  const { entered } = await broker.audit.collect({ thorough });
  if (entered === 0) await setTimeout(1);
  else process.stdout.write(`entered ${entered}\n`);
}
