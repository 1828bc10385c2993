// @vitest-environment happy-dom
import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { AuditEventView } from '@/lib/contract/audit/audit-schemas';
import { AuditResult } from './audit-event-cells';

afterEach(cleanup);

it.each([
  ['queue.pause', 'done', 0, 'done'],
  // Its jobs may all die again: nothing is done yet.
  ['operation.start', 'done', 0, 'started'],
  ['operation.start', 'done', 2, 'ended'],
  ['operation.start', 'refused', 0, 'refusedFORBIDDEN'],
] as const)('%s, %s, %s ends: %s', (action, result, endCount, text) => {
  const code = result === 'refused' ? 'FORBIDDEN' : null;
  const ends = new Array<AuditEventView>(endCount).fill({ action: 'operation.end' } as AuditEventView);
  const { container } = render(<AuditResult entry={{ action, result, code }} ends={ends} />);
  expect(container.textContent).toBe(text);
});
