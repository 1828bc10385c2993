// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useRef } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { KIND_STATES, OPERATION_KINDS } from '@/lib/contract/operations/operation-kinds';
import { useListHold } from '../use-list-hold';
import { JobLink } from './job-link';
import { kindsForState } from './operation-buttons';
import { useJobList } from './use-job-list';
import { listedJobs, readJobRef } from './use-open-job';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const JOBS = ['a', 'b', 'c'].map((jobId) => ({ queue: 'mail', jobId }));
const clear = vi.fn();

function List() {
  const region = useRef<HTMLDivElement>(null);
  useJobList(region, JOBS, { toggle: vi.fn(), clear });
  return (
    <div ref={region}>
      {JOBS.map((job) => (
        <JobLink key={job.jobId} job={job} />
      ))}
    </div>
  );
}

describe('a list of jobs', () => {
  it('opens a job on Enter, steps with j and k, and stops at the ends', async () => {
    const seen: string[] = [];
    const user = userEvent.setup();
    for (const mode of ['push', 'replace'] as const)
      vi.spyOn(window.history, `${mode}State`).mockImplementation((_state, _unused, url) => {
        seen.push(`${mode} ${new URL(String(url), 'http://console').searchParams.get('job')}`);
      });
    render(<List />);
    expect(listedJobs.get()).toEqual(JOBS);
    await user.keyboard('j');
    expect(document.activeElement?.textContent).toBe('a');
    await user.keyboard('{Enter}');
    await vi.waitFor(() => expect(seen).toEqual(['push mail/a']));
    expect(screen.getByRole('link', { current: true }).textContent).toBe('a');
    await user.keyboard('jjjk');
    // Back closes the panel instead of walking through every row.
    await vi.waitFor(() =>
      expect(seen.slice(1)).toEqual(['mail/b', 'mail/c', 'mail/b'].map((job) => `replace ${job}`)),
    );
    await user.keyboard('{Escape}');
    expect(clear).not.toHaveBeenCalled();
    cleanup();
    expect(listedJobs.get()).toEqual([]);
  });

  it('leaves clicks with a key to the browser', async () => {
    render(<List />);
    const click = new MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey: true });
    screen.getByRole('link', { name: 'a' }).dispatchEvent(click);
    expect(click.defaultPrevented).toBe(false);
    expect(screen.getByRole('link', { name: 'a' }).getAttribute('href')).toBe('/queues/mail/jobs/a');
  });

  it('reads a job from the URL, and nothing from nonsense', () => {
    expect(readJobRef('mail/a/b')).toEqual({ queue: 'mail', jobId: 'a/b' });
    for (const text of [null, '', 'mail', '/a', 'mail/']) expect(readJobRef(text)).toBeNull();
  });

  it('B9: stands still under the pointer and the focus', async () => {
    function Held() {
      const { held, handlers } = useListHold();
      return (
        <>
          <div {...handlers}>
            <button type="button">row</button>
            {held ? 'held' : 'live'}
          </div>
          <p>elsewhere</p>
          <button type="button">after</button>
        </>
      );
    }
    render(<Held />);
    const user = userEvent.setup();
    await user.hover(screen.getByText('row'));
    expect(screen.getByText('held')).toBeTruthy();
    await user.hover(screen.getByText('elsewhere'));
    expect(screen.getByText('live')).toBeTruthy();
    await user.tab();
    expect(screen.getByText('held')).toBeTruthy();
    await user.tab();
    expect(screen.getByText('live')).toBeTruthy();
  });
});

it('every kind of operation on jobs is offered in each of its states', () => {
  const unlisted = ['recall', 'delete-queue'];
  for (const kind of OPERATION_KINDS.filter((name) => !unlisted.includes(name)))
    for (const state of KIND_STATES[kind]) expect(kindsForState(state), `${kind} ${state}`).toContain(kind);
});
