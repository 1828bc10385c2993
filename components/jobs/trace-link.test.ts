import { expect, it } from 'vitest';
import { traceLink } from './trace-link';

it('puts the trace id into the address, and nothing else of it', () => {
  const template = 'https://traces.example/trace/{traceId}?org=1';
  expect(traceLink(template, '4bf92f35')).toBe('https://traces.example/trace/4bf92f35?org=1');
  expect(traceLink(template, '../x?y#z')).toBe('https://traces.example/trace/..%2Fx%3Fy%23z?org=1');
  expect(traceLink(null, '4bf92f35')).toBeNull();
  expect(traceLink(template, null)).toBeNull();
});
