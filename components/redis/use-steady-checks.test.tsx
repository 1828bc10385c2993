// @vitest-environment happy-dom
import { cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { RedisCheckResult } from '@/lib/contract/redis/redis-check-schemas';
import { useSteadyChecks } from './use-steady-checks';

afterEach(cleanup);

const check = (id: string, verdict: RedisCheckResult['verdict'], fix: string | null = null) =>
  ({ id, topic: 'latency', title: id, verdict, value: '', why: '', fix }) satisfies RedisCheckResult;

it('keeps the order in which the page was opened, and the room of a fix that is done', () => {
  const first = [check('a', 'ok'), check('b', 'warn', 'do b'), check('c', 'ok'), check('d', 'bad', 'do d')];
  const { result, rerender } = renderHook(({ checks }) => useSteadyChecks(checks), {
    initialProps: { checks: first },
  });
  const shown = () => result.current.map(({ id, fix, pastFix }) => [id, fix, pastFix]);
  expect(shown()).toEqual([
    ['d', 'do d', null],
    ['b', 'do b', null],
    ['a', null, null],
    ['c', null, null],
  ]);
  rerender({
    checks: [check('a', 'ok'), check('b', 'ok'), check('c', 'bad', 'do c'), check('d', 'warn', 'do more')],
  });
  expect(shown()).toEqual([
    ['d', 'do more', null],
    ['b', null, 'do b'],
    ['a', null, null],
    ['c', 'do c', null],
  ]);
  // What was not checked before comes last, what is no longer checked leaves.
  rerender({ checks: [check('e', 'bad', 'do e'), check('c', 'ok'), check('d', 'ok'), check('a', 'ok')] });
  expect(shown()).toEqual([
    ['d', null, 'do more'],
    ['a', null, null],
    ['c', null, 'do c'],
    ['e', 'do e', null],
  ]);
});
