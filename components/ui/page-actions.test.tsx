// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { pageActions, pageActionsOf, readPageActions } from './page-actions';
import { usePageActions } from './use-page-actions';

afterEach(cleanup);

function Page({ state, onPurge }: { state: string; onPurge: () => void }) {
  usePageActions([
    { label: `Purge: all ${state} jobs…`, run: onPurge },
    { label: 'Pause…', run: onPurge },
  ]);
  return (
    <>
      <div {...pageActions}>
        <button type="button">Pause…</button>
        <button type="button" disabled>
          Drain…
        </button>
        <button type="button" aria-haspopup="menu">
          All jobs
        </button>
        <span hidden>
          <button type="button">Hidden</button>
        </span>
        <a href="/audit">Audit log</a>
      </div>
      <button type="button">Elsewhere</button>
    </>
  );
}

it('are the buttons that can be pressed and the items of menus, once each, as they are now', () => {
  const onPurge = vi.fn();
  const { rerender } = render(<Page state="ready" onPurge={onPurge} />);
  const labels = () => readPageActions().map(({ label }) => label);
  expect(labels()).toEqual(['Pause…', 'Audit log', 'Purge: all ready jobs…']);
  rerender(<Page state="dead" onPurge={onPurge} />);
  expect(labels()).toEqual(['Pause…', 'Audit log', 'Purge: all dead jobs…']);
  const onPause = vi.fn();
  screen.getByText('Pause…').addEventListener('click', onPause);
  for (const { run } of readPageActions()) run();
  expect([onPause.mock.calls.length, onPurge.mock.calls.length]).toEqual([1, 1]);
  cleanup();
  expect(labels()).toEqual([]);
});

it('are told apart by what their regions are about', () => {
  const onSilence = vi.fn();
  render(
    <ul>
      {['orders fail', 'mails fail', 'mails fail'].map((sentence, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they never move
        <li key={index} {...pageActionsOf(sentence)}>
          <button type="button" onClick={() => onSilence(index)}>
            Silence FAILING…
          </button>
        </li>
      ))}
    </ul>,
  );
  const actions = readPageActions();
  expect(actions.map(({ label, detail }) => `${label} ${detail}`)).toEqual([
    'Silence FAILING… orders fail',
    'Silence FAILING… mails fail',
  ]);
  actions[1]?.run();
  expect(onSilence.mock.calls).toEqual([[1]]);
});
