// @vitest-environment happy-dom
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { absoluteLocal } from '@/lib/format/date-time';
import { AbsoluteTime, RelativeTime } from './relative-time';
import { setTimeZone } from './time-zone-choice';

const AT = Date.UTC(2026, 10, 20, 13, 8, 16, 42);

afterEach(() => {
  cleanup();
  setTimeZone('local');
  localStorage.clear();
});

it('shows all times in the chosen zone, at once and after a reload', () => {
  setTimeZone('Asia/Tokyo');
  render(
    <>
      <AbsoluteTime at={AT} />
      <RelativeTime at={AT} />
    </>,
  );
  const [absolute, relative] = screen.getAllByRole('time');
  expect(absolute?.textContent).toBe('2026-11-20 22:08:16');
  expect(relative?.title).toBe('2026-11-20 22:08:16 GMT+9\n2026-11-20 13:08:16.042 UTC');
  expect(localStorage.getItem('redrive.time-zone')).toBe('Asia/Tokyo');
  act(() => setTimeZone('UTC'));
  expect(absolute?.textContent).toBe('2026-11-20 13:08:16');
  expect(relative?.title).toBe('2026-11-20 13:08:16.042 UTC');
});

it('follows another tab, and takes an unknown zone for that of the device', () => {
  setTimeZone('UTC');
  render(<AbsoluteTime at={AT} />);
  const change = (zone: string) =>
    act(() => {
      localStorage.setItem('redrive.time-zone', zone);
      window.dispatchEvent(new StorageEvent('storage', { key: 'redrive.time-zone' }));
    });
  change('Asia/Kathmandu');
  expect(screen.getByRole('time').textContent).toBe('2026-11-20 18:53:16');
  change('Moon/Tranquility');
  expect(screen.getByRole('time').textContent).toBe(absoluteLocal(AT).slice(0, 19));
});
