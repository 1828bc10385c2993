// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { readPageActions } from '@/components/ui/page-actions';
import { keys } from '@/lib/browser/api/query-keys';
import type { Grant } from '@/lib/contract/access/grant-scopes';
import type { Alert, Alerts } from '@/lib/contract/alerts/alert-schemas';
import { FIRING_ALERT } from '@/testing/records/alert-about-orders';
import { LivePanel } from './live-panel';

afterEach(cleanup);

const alerts = (live: Alert[], silences: Alerts['silences'] = []): Alerts => ({
  at: 1_100_000,
  fresh: true,
  live,
  silences,
  channels: [],
  rules: [],
});
const OPERATOR: Grant = { role: 'operator', queues: ['*'], tenants: null };

function show(first: Alerts, grant: Grant = OPERATOR) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  client.setQueryData(keys.me(), { grants: [grant] });
  const panel = (data: Alerts) => (
    <QueryClientProvider client={client}>
      <LivePanel alerts={data} />
    </QueryClientProvider>
  );
  const { rerender } = render(panel(first));
  return { update: (data: Alerts) => rerender(panel(data)) };
}
const codes = () => screen.getAllByRole('listitem').map((row) => row.dataset.alert);
const button = (name: string) => screen.queryByRole('button', { name });

it('leads to the evidence, and makes what a sentence hides visible', () => {
  show(alerts([{ ...FIRING_ALERT, sentence: 'orders\u202e fail' }]));
  const link = screen.getByRole('link', { name: 'orders⟨U+202E⟩ fail' });
  expect(link.getAttribute('href')).toBe('/queues/orders?state=retry');
});

it('keeps its rows in place under the pointer, with their latest state, and shows new ones afterwards', () => {
  const { update } = show(alerts([FIRING_ALERT]));
  const list = screen.getByRole('list', { name: 'Alerts' });
  fireEvent.pointerEnter(list, { pointerType: 'mouse' });
  const acknowledged = { at: 1_090_000, actor: 'ann', note: 'calling the bank' };
  const worse: Alert = { ...FIRING_ALERT, id: 'alert-2', code: 'REDIS' };
  update(alerts([worse, { ...FIRING_ALERT, acknowledged }]));
  expect(codes()).toEqual(['FAILING']);
  expect(screen.getByRole('status').textContent).toContain('1 new');
  expect(list.textContent).toContain('ann takes care');
  expect(list.textContent).toContain('calling the bank');
  fireEvent.pointerLeave(list);
  expect(codes()).toEqual(['REDIS', 'FAILING']);
});

it('says of one whose finding is gone that it is over, and when it ends', () => {
  const now = Date.now();
  show(alerts([{ ...FIRING_ALERT, over: { at: now - 12_000, endsAt: now + 48_000 } }]));
  const row = screen.getByRole('listitem').textContent;
  expect(row).toContain('Over');
  expect(row).not.toContain('Firing');
  expect(row).toMatch(/went 1[23] s ago, ends in 4[78] s unless it comes back/);
});

it('offers what can still be done about an alert', () => {
  const { update } = show(alerts([{ ...FIRING_ALERT, state: 'pending' }]));
  expect(button('Acknowledge FAILING')).toBeNull();
  expect(button('Silence FAILING…')).not.toBeNull();
  const silence = {
    id: 's1',
    code: 'FAILING',
    queue: null,
    reason: 'known',
    actor: 'bob',
    at: 0,
    until: 9e12,
  };
  update(alerts([{ ...FIRING_ALERT, silencedBy: 's1' }], [silence]));
  expect(button('Silence FAILING…')).toBeNull();
  expect(screen.getByRole('listitem').textContent).toContain('Silenced by bob');
});

it('offers actions to users who may operate every queue of the alert', () => {
  const isBlocked = () => button('Acknowledge FAILING')?.getAttribute('aria-disabled');
  const two: Alert = { ...FIRING_ALERT, queues: { total: 2, named: ['orders', 'mails'] } };
  show(alerts([two]), { ...OPERATOR, queues: ['orders', 'mails'] });
  expect(isBlocked()).toBeNull();
  cleanup();
  show(alerts([two]), { ...OPERATOR, queues: ['orders'] });
  expect(isBlocked()).toBe('true');
  cleanup();
  // It is about more queues than it names.
  show(alerts([{ ...two, queues: { ...two.queues, total: 60 } }]), {
    ...OPERATOR,
    queues: ['orders', 'mails'],
  });
  expect(isBlocked()).toBe('true');
  cleanup();
  show(alerts([two]), { ...OPERATOR, role: 'viewer' });
  expect(button('Acknowledge FAILING')).toBeNull();
});

it('offers the actions of each alert in the finder, told apart by its sentence', () => {
  const offered = () => readPageActions().map(({ label, detail }) => `${label} ${detail}`);
  const mails: Alert = { ...FIRING_ALERT, id: 'alert-2', sentence: 'mails fail', state: 'pending' };
  show(alerts([{ ...FIRING_ALERT, sentence: 'orders fail' }, mails]));
  expect(offered()).toEqual([
    'Acknowledge FAILING orders fail',
    'Silence FAILING… orders fail',
    'Silence FAILING… mails fail',
  ]);
  cleanup();
  show(alerts([FIRING_ALERT]), { ...OPERATOR, queues: ['mails'] });
  expect(offered()).toEqual([]);
});

it('does not say that there are none while Redis cannot be read', () => {
  const { update } = show({ ...alerts([]), fresh: false });
  expect(screen.queryByText('No alerts')).toBeNull();
  expect(screen.getByText(/not known while Redis cannot be read/)).toBeTruthy();
  update(alerts([]));
  expect(screen.getByText('No alerts')).toBeTruthy();
});
