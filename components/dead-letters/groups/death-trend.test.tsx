// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { DeathTrend } from './death-trend';

afterEach(cleanup);

it.each([
  ['leaves out the hour under way where it would look like a fall', [0, 9, 3], 2],
  ['shows it where it has more deaths already', [0, 3, 9], 3],
])('B11: the line of deaths %s', (_, trend, points) => {
  const { container } = render(<DeathTrend trend={trend} width={92} />);
  expect(container.querySelector('polyline')?.getAttribute('points')?.split(' ')).toHaveLength(points);
  // The words count all hours.
  expect(screen.getByRole('img').getAttribute('aria-label')).toBe(`${trend[2]} deaths this hour, 12 in 3 h`);
});
