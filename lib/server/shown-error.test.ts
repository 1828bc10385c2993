import { expect, it } from 'vitest';
import { closedError } from '@/lib/broker/redis/connection-health';
import { linesWith, sourcesIn } from '@/testing/project-files';
import { shownError, shownMessage } from './shown-error';

it('B9: a console that stops says so, and not that a client was closed', () => {
  expect(shownError(closedError())).toMatchObject({ code: 'STOPPING', retryAfterMs: 2_000 });
  expect(shownMessage(closedError())).toMatch(/^This console is stopping\./);
});

it('B9: no other file of the server shows the sentence of an error by itself', () => {
  const others = sourcesIn(['lib/server', 'app']).filter(({ file }) => file !== 'lib/server/shown-error.ts');
  expect(linesWith(others, /withoutAddresses\(/)).toEqual([]);
});
