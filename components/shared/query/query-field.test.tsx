// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { queryLanguage } from '@/lib/browser/search/query-language';
import { useQueryBar } from '@/lib/browser/search/use-query-bar';
import { QueryField } from './query-field';

vi.mock('@/lib/browser/search/use-suggest', () => ({ useSuggest: () => ({ data: undefined }) }));
afterEach(cleanup);

let rendered = 0;
function Page() {
  const [q, setQ] = useState('');
  const bar = useQueryBar({ q, apply: setQ });
  rendered += 1;
  return (
    <>
      <QueryField label="Query" placeholder="" bar={bar} />
      <output>{q}</output>
    </>
  );
}

it('renders nothing but the field while somebody types: a page may hold hundreds of rows', async () => {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Page />
    </QueryClientProvider>,
  );
  const field = screen.getByRole('combobox', { name: 'Query' });
  await userEvent.type(field, 't');
  // The page renders once more when the language has arrived. An empty query does not wait for the language.
  await act(() => queryLanguage.load());
  const before = rendered;
  await userEvent.type(field, 'ype:invoice.pay tenant:acme');
  expect(rendered).toBe(before);
  await userEvent.type(field, '{Enter}');
  expect(await screen.findByText('type:invoice.pay tenant:acme')).toBeDefined();
  expect(rendered).toBeGreaterThan(before);
});
