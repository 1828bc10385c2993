// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { readPageActions } from '@/components/ui/page-actions';
import { keys } from '@/lib/browser/api/query-keys';
import { OperationWizardContext } from '@/lib/browser/operation-wizard-context';
import type { Grant } from '@/lib/contract/access/grant-scopes';
import { AllMatchesActions } from './all-matches-actions';

afterEach(cleanup);

function show(q: string, role: Grant['role']) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  client.setQueryData(keys.me(), { grants: [{ role, queues: ['*'], tenants: null }] });
  const openWizard = vi.fn();
  render(
    <QueryClientProvider client={client}>
      <OperationWizardContext value={openWizard}>
        <AllMatchesActions q={q} />
      </OperationWizardContext>
    </QueryClientProvider>,
  );
  return openWizard;
}
const labels = () => readPageActions().map(({ label }) => label);

it('offers the operations on all that match to those who may start them', () => {
  const openWizard = show('queue:mail', 'operator');
  expect(labels()).toContain('Re-drive: all matching dead letters…');
  readPageActions()
    .find(({ label }) => label.startsWith('Re-drive'))
    ?.run();
  expect(openWizard).toHaveBeenCalledWith({ kind: 'redrive', scope: { state: 'dead', q: 'queue:mail' } });
  cleanup();
  show('', 'admin');
  expect(labels()).toEqual(
    expect.arrayContaining(['Re-drive: all dead letters…', 'Export: all dead letters…']),
  );
  cleanup();
  show('', 'viewer');
  expect(labels().some((label) => label.startsWith('Re-drive'))).toBe(false);
});
