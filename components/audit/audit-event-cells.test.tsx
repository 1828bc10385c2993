// @vitest-environment happy-dom
import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { AuditResult } from './audit-event-cells';

afterEach(cleanup);

it.each([
  ['queue.pause', 'done', 'done'],
  // Its jobs may all die again: nothing is done yet.
  ['operation.start', 'done', 'started'],
  ['operation.start', 'refused', 'refusedFORBIDDEN'],
] as const)('%s, %s: %s', (action, result, text) => {
  const code = result === 'refused' ? 'FORBIDDEN' : null;
  const { container } = render(<AuditResult entry={{ action, result, code }} />);
  expect(container.textContent).toBe(text);
});
