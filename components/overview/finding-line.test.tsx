// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { keys } from '@/lib/browser/api/query-keys';
import { OperationWizardContext } from '@/lib/browser/operation-wizard-context';
import type { Role } from '@/lib/contract/access/grant-scopes';
import type { Verdict } from '@/lib/contract/queues/queue-schemas';
import { FindingLine } from './finding-line';

type Finding = Verdict['findings'][number];
const expiring: Finding = {
  id: 'EXPIRING',
  level: 'warn',
  code: 'EXPIRING',
  queue: 'email',
  queues: { total: 1, named: ['email'] },
  sentence: 'Retention deletes the oldest of 12 dead jobs in email in 3 h.',
  evidence: { page: 'dead', q: 'queue:email' },
  action: null,
};

const PAUSES = ['email', 'sms', 'sms'].map((queue, i) => ({
  queue,
  scope: i === 2 ? ('tenant:acme' as const) : ('queue' as const),
  actor: 'ann',
  reason: 'The bank is down',
  since: 0,
  until: null,
}));

afterEach(cleanup);

function renderLine(finding: Finding, role: Role) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  client.setQueryData(keys.me(), { grants: [{ role, queues: ['*'], tenants: null }] });
  const open = vi.fn();
  render(
    <QueryClientProvider client={client}>
      <OperationWizardContext value={open}>
        <ul>
          <FindingLine finding={finding} isOver={false} isWhole={false} queues={[]} pauses={PAUSES} />
        </ul>
      </OperationWizardContext>
    </QueryClientProvider>,
  );
  return open;
}
const redrive = () => screen.queryByRole('button', { name: 'Re-drive dead letters of email…' });

it('a finding of dead letters opens the wizard with its query', () => {
  const open = renderLine(expiring, 'operator');
  fireEvent.click(redrive() as HTMLElement);
  expect(open).toHaveBeenCalledWith({ kind: 'redrive', scope: { state: 'dead', q: 'queue:email' } });
});

it('offers no re-drive without the permission, of several queues, and of other evidence', () => {
  renderLine(expiring, 'viewer');
  renderLine({ ...expiring, queue: null, queues: { total: 2, named: ['email', 'sms'] } }, 'operator');
  renderLine({ ...expiring, evidence: { page: 'queue', queue: 'email' } }, 'operator');
  expect(screen.queryByRole('button')).toBeNull();
});

it('the finding of a single pause ends it; several are ended on the page of their queue', () => {
  const paused: Finding = { ...expiring, id: 'PAUSED', code: 'PAUSED', evidence: null };
  renderLine(paused, 'operator');
  expect(screen.getByRole('button', { name: 'Resume queue email' })).toBeTruthy();
  cleanup();
  renderLine({ ...paused, queue: 'sms', queues: { total: 1, named: ['sms'] } }, 'operator');
  renderLine(paused, 'viewer');
  expect(screen.queryByRole('button')).toBeNull();
});
