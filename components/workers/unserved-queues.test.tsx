// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { UnservedQueues } from './unserved-queues';

afterEach(cleanup);

it('shows no sign before it is known whether queues have workers', () => {
  const client = new QueryClient({ defaultOptions: { queries: { enabled: false } } });
  render(
    <QueryClientProvider client={client}>
      <UnservedQueues advice={{ kind: 'start' }} alive={0} />
    </QueryClientProvider>,
  );
  const line = screen.getByRole('region', { name: 'Queues without workers' });
  expect(line.textContent).toBe('');
  expect(line.querySelector('svg')).toBeNull();
});
