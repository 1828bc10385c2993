// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { keys } from '@/lib/browser/api/query-keys';
import { OperationWizardContext } from '@/lib/browser/operation-wizard-context';
import type { Role } from '@/lib/contract/access/grant-scopes';
import { FINDING_ACTIONS, type FindingAction, type Verdict } from '@/lib/contract/queues/queue-schemas';
import { CALM_QUEUE, rowsOf } from '@/testing/worlds/queue-snapshot';
import { FindingActions } from './finding-actions';

type Finding = Verdict['findings'][number];
const expiring: Finding = {
  id: 'EXPIRING',
  level: 'warn',
  code: 'EXPIRING',
  queue: 'email',
  queues: { total: 1, named: ['email'] },
  sentence: 'Retention deletes the oldest of 12 dead jobs in email in 3 h.',
  evidence: { page: 'dead', q: 'queue:email' },
  actions: ['redrive'],
};

const QUEUES = rowsOf([{ ...CALM_QUEUE, queue: 'email' }]).queues;
const PAUSES = ['email', 'sms', 'sms'].map((queue, i) => ({
  queue,
  scope: i === 2 ? ('tenant:acme' as const) : ('queue' as const),
  actor: 'ann',
  reason: 'The bank is down',
  since: 0,
  until: null,
}));

afterEach(cleanup);

function renderActions(finding: Finding, role: Role, isOver = false) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  client.setQueryData(keys.me(), { grants: [{ role, queues: ['*'], tenants: null }] });
  const open = vi.fn();
  render(
    <QueryClientProvider client={client}>
      <OperationWizardContext value={open}>
        <FindingActions finding={finding} isOver={isOver} queues={QUEUES} pauses={PAUSES} />
      </OperationWizardContext>
    </QueryClientProvider>,
  );
  return open;
}
const redrive = () => screen.queryByRole('button', { name: 'Re-drive dead letters of email…' });

it('a finding of dead letters opens the wizard with its query', () => {
  const open = renderActions(expiring, 'operator');
  fireEvent.click(redrive() as HTMLElement);
  expect(open).toHaveBeenCalledWith({ kind: 'redrive', scope: { state: 'dead', q: 'queue:email' } });
});

it('offers no re-drive without the permission, nor of other evidence', () => {
  renderActions(expiring, 'viewer');
  renderActions({ ...expiring, evidence: { page: 'queue', queue: 'email' } }, 'operator');
  expect(screen.queryByRole('button')).toBeNull();
});

it('offers one re-drive of the dead letters of several queues', () => {
  const evidence = { page: 'dead' as const, q: 'queue:(email OR sms)' };
  const queues = { total: 2, named: ['email', 'sms'] };
  const open = renderActions({ ...expiring, queue: null, queues, evidence }, 'operator');
  fireEvent.click(screen.getByRole('button', { name: 'Re-drive dead letters of 2 queues…' }));
  expect(open).toHaveBeenCalledWith({ kind: 'redrive', scope: { state: 'dead', q: evidence.q } });
});

it('the finding of a single pause ends it; several are ended on the page of their queue', () => {
  const paused: Finding = { ...expiring, id: 'PAUSED', code: 'PAUSED', actions: ['resume'] };
  renderActions(paused, 'operator');
  expect(screen.getByRole('button', { name: 'Resume queue email' })).toBeTruthy();
  cleanup();
  renderActions({ ...paused, queue: 'sms', queues: { total: 1, named: ['sms'] } }, 'operator');
  renderActions(paused, 'viewer');
  expect(screen.queryByRole('button')).toBeNull();
});

/** What each action shows to an operator. */
const OFFERS: Readonly<Record<FindingAction, readonly ['button' | 'link', string]>> = {
  pause: ['button', 'Pause email…'],
  resume: ['button', 'Resume queue email'],
  redrive: ['button', 'Re-drive dead letters of email…'],
  reclaim: ['button', 'Reclaim expired leases of email'],
  drain: ['link', 'Stop draining…'],
  workers: ['link', 'Open workers'],
  redis: ['link', 'Open Redis'],
};
it.each(FINDING_ACTIONS)('offers %s to those who may, and while it helps', (action) => {
  const [role, name] = OFFERS[action];
  const finding: Finding = { ...expiring, actions: [action] };
  const offered = () => screen.queryByRole(role, { name }) !== null;
  renderActions(finding, 'operator');
  expect(offered()).toBe(true);
  cleanup();
  const opensPage = action === 'workers' || action === 'redis';
  renderActions(finding, 'viewer');
  expect(offered()).toBe(opensPage);
  cleanup();
  renderActions(finding, 'operator', true);
  expect(offered()).toBe(opensPage || action === 'redrive');
});

it('pauses the job type that dies of a new failure, not its whole queue', () => {
  const pause = { queue: 'email', jobType: 'email.send' };
  renderActions({ ...expiring, queue: null, actions: ['pause'], pause }, 'operator');
  expect(screen.getByRole('button', { name: 'Pause email.send in email…' }).textContent).toBe(
    'Pause email.send…',
  );
});

it('D8: re-drives the failure that the finding names, and not all of the last hour', () => {
  const evidence = { page: 'dead' as const, q: 'age:<1h' };
  const failure: Finding = { ...expiring, id: 'NEW_FAILURE', code: 'NEW_FAILURE', evidence };
  const open = renderActions({ ...failure, redriveQuery: 'group:0a1b2c3d4e5f' }, 'operator');
  fireEvent.click(redrive() as HTMLElement);
  expect(open).toHaveBeenCalledWith({ kind: 'redrive', scope: { state: 'dead', q: 'group:0a1b2c3d4e5f' } });
});
