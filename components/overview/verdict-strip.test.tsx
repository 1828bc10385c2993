// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { CalmNote, headline, lookOf } from './verdict-strip';

afterEach(cleanup);

it('names the alerts that fire while no queue has a problem', () => {
  render(<CalmNote alerts={{ bad: 0, warn: 1 }} />);
  expect(screen.getByRole('link', { name: '1 alert is firing' }).getAttribute('href')).toBe('/alerts');
  cleanup();
  render(<CalmNote alerts={{ bad: 1, warn: 1 }} />);
  expect(screen.getByRole('link').textContent).toBe('2 alerts are firing');
});

it('does not call a console calm in which alerts fire', () => {
  const verdict = { level: 'ok' as const, total: { bad: 0, warn: 0 }, findings: [] };
  const said = (bad: number, warn: number, total = 3, unread = 0) =>
    headline({ verdict, total, unread, alerts: { bad, warn } });
  expect([said(0, 0), said(0, 1), said(2, 1), said(0, 0, 0), said(0, 0, 5_000, 3_000)]).toEqual([
    'No problems in 3 queues',
    'No problems in 3 queues, but 1 alert',
    'No problems in 3 queues, but 3 alerts',
    'Ready for the first job',
    'No problems in 2,000 of 5,000 queues',
  ]);
  const looks = [0, 1].map((warn) => lookOf({ verdict, alerts: { bad: 0, warn } }));
  expect(looks).toEqual(['ok', 'warn']);
});

it('says what the place is for when none fires', () => {
  const { container } = render(<CalmNote alerts={{ bad: 0, warn: 0 }} />);
  expect(container.textContent).toBe('Problems and warnings appear here, causes before symptoms.');
});
