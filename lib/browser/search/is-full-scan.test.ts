import { expect, it } from 'vitest';
import { parseQuery } from '@/lib/contract/search/query';
import { isFullScan } from './is-full-scan';

it.each([
  ['', false],
  ['type:a (code:X OR -tenant:b) age:>1h key:k', false],
  ['type:a (code:X OR -"timeout")', true],
  ['payload.order.id:42', true],
  ['-(tenant:a -payload.x:1)', true],
])('%j needs rows: %s', (text, needs) => {
  const parsed = parseQuery(text);
  expect(parsed.ok && isFullScan(parsed.filter)).toBe(needs);
});
