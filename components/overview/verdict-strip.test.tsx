// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { CalmNote } from './verdict-strip';

afterEach(cleanup);

it('names the alerts that fire while no queue has a problem', () => {
  render(<CalmNote alerts={{ bad: 0, warn: 1 }} />);
  expect(screen.getByRole('link', { name: '1 alert is firing' }).getAttribute('href')).toBe('/alerts');
  cleanup();
  render(<CalmNote alerts={{ bad: 1, warn: 1 }} />);
  expect(screen.getByRole('link').textContent).toBe('2 alerts are firing');
});

it('says what the place is for when none fires', () => {
  const { container } = render(<CalmNote alerts={{ bad: 0, warn: 0 }} />);
  expect(container.textContent).toBe('Problems and warnings appear here, causes before symptoms.');
});
