// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { UserView } from '@/lib/contract/access/access-schemas';
import { DisableDialog } from './user-change-dialogs';

const active: UserView = {
  id: 'file:ann',
  name: 'ann',
  method: 'local',
  groups: [],
  grants: [],
  grantsFrom: 'file',
  disabled: null,
  removed: false,
  firstSeenAt: null,
  lastSeenAt: null,
  sessions: 1,
};

afterEach(cleanup);

it('stays what it was opened as while the list behind it changes', async () => {
  const shown = (person: UserView) => (
    <QueryClientProvider client={new QueryClient()}>
      <DisableDialog person={person} onClose={vi.fn()} />
    </QueryClientProvider>
  );
  const { rerender } = render(shown(active));
  rerender(shown({ ...active, disabled: { by: 'bob', at: 1, reason: 'left' } }));
  expect(await screen.findByRole('alertdialog', { name: 'Disable ann?' })).toBeDefined();
  expect(screen.getByRole('button', { name: 'Disable' })).toBeDefined();
});
