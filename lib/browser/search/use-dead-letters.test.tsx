// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { Facets, GroupsPage } from '@/lib/contract/search/search-schemas';
import { useFacets, useGroupsWithFacets } from './use-dead-letters';

vi.mock('../live/live-provider', () => ({ useLiveStatus: () => 'live' }));

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

/** The schemas of replies are loaded with the first request. */
const LOAD = { timeout: 60_000 };
const matching = { count: 7, exact: true };
const none = { queue: [], type: [], tenant: [], code: [], class: [], age: [], attempts: [] };
const facets: Facets = { at: 1, matching, sampled: null, facets: none, ageSampled: null };
const page: GroupsPage = { at: 1, groups: [], total: 0, matching, sampled: null, facets };

function View({ withGroups }: { withGroups: boolean }) {
  const counted = useFacets('code:X', withGroups).data;
  return <p>{counted ? `${counted.matching.count} counted` : 'nothing'}</p>;
}
function Groups() {
  return <p>{useGroupsWithFacets('code:X').data ? 'groups' : 'nothing'}</p>;
}

it('reads groups and facets with one request, and facets alone beside rows', async () => {
  const asked: string[] = [];
  vi.stubGlobal('fetch', (path: string) => {
    asked.push(path);
    return Promise.resolve(Response.json(path.includes('/groups') ? page : facets));
  });
  const show = (withGroups: boolean) =>
    render(
      <QueryClientProvider client={new QueryClient()}>
        {withGroups && <Groups />}
        <View withGroups={withGroups} />
      </QueryClientProvider>,
    );
  show(true);
  await screen.findByText('groups', {}, LOAD);
  await screen.findByText('7 counted', {}, LOAD);
  expect(asked).toEqual(['/api/v1/dead/groups?q=code%3AX&facets=1']);
  cleanup();
  asked.length = 0;
  show(false);
  await screen.findByText('7 counted', {}, LOAD);
  expect(asked).toEqual(['/api/v1/dead/facets?q=code%3AX']);
}, 90_000);
