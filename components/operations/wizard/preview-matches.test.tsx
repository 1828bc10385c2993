// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { PreviewBreakdown } from './preview-matches';

afterEach(cleanup);

it('names ages as the facets of the dead letters do', () => {
  const none = { queue: [], type: [], code: [], class: [], tenant: [] };
  const age = [
    { value: '<=5m', count: 2 },
    { value: '>7d', count: 1 },
  ];
  render(<PreviewBreakdown breakdown={{ ...none, age }} ageSampled={null} />);
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'under 5 min2',
    'over 7 days1',
  ]);
});
