// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { DeathTrend } from './death-trend';

afterEach(cleanup);

it.each([
  ['leaves out the hour under way where it would look like a fall', [0, 9, 3], 2],
  ['shows it where it has more deaths already', [0, 3, 9], 3],
])('B11: the line of deaths %s', (_, trend, points) => {
  const { container } = render(<DeathTrend group={{ trend, lastHour: null }} width={92} />);
  expect(container.querySelector('polyline')?.getAttribute('points')?.split(' ')).toHaveLength(points);
  // The words count all hours.
  expect(screen.getByRole('img').getAttribute('aria-label')).toBe(`${trend[2]} deaths this hour, 12 in 3 h`);
});

it.each([
  [
    'is of the last hour where most died in it',
    [0, 2, 7],
    '7 dead letters of the last hour, 1 of the last 5 min',
  ],
  [
    'stays of the last hour when some are put back',
    [3, 2, 40],
    '7 dead letters of the last hour, 1 of the last 5 min',
  ],
  ['is of a day where most died before', [30, 2, 5], '5 deaths this hour, 37 in 3 h'],
])('B11: the line of deaths %s', (_, trend, label) => {
  const lastHour = [0, 2, 4, 1];
  const { container } = render(<DeathTrend group={{ trend, lastHour }} width={92} />);
  expect(screen.getByRole('img').getAttribute('aria-label')).toBe(label);
  expect(container.textContent).toContain(label.includes('last hour') ? '1 h' : '3 h');
});
