/** How errors stand in the log of a console whose build shortened the names of classes. */
import { afterEach, expect, test, vi } from 'vitest';
import { RedriveError } from '@/lib/contract/redrive-error';
import { log } from './console-log';

afterEach(() => vi.unstubAllEnvs());

test('an error is logged under the name it carries, not that of its class in the build', () => {
  vi.stubEnv('REDIS_URL', 'redis://127.0.0.1:6379');
  const c8 = class extends RedriveError {};
  const serialize = Reflect.get(log(), pinoSerializers()).err;
  expect(serialize(new c8('INTERNAL', 'x'))).toMatchObject({ type: 'RedriveError', message: 'x' });
  expect(serialize('no error')).toBe('no error');
});

function pinoSerializers(): symbol {
  const found = Object.getOwnPropertySymbols(log()).find((key) => String(key) === 'Symbol(pino.serializers)');
  if (!found) throw new Error('pino keeps its serializers elsewhere');
  return found;
}
