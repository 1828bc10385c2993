// @vitest-environment happy-dom
import { cleanup, render, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import type { History } from '@/lib/contract/history/history-schemas';
import { HistoryCharts } from './history-charts';
import { CHARTS, QUEUE_CHARTS, SHARE_CHARTS, WORKER_CHARTS } from './history-series';

const column = [60_000, null, 3];
const history: History = {
  from: 1_767_225_600_000,
  to: 1_767_225_780_000,
  stepMs: 60_000,
  depth: { ready: column, inFlight: column, scheduled: column, retry: column, held: column, dead: column },
  oldestAgeMs: column,
  counts: { arrivals: column, completed: column, failed: column, lost: column, died: column },
  run: { p50: column, p95: column, p99: column },
  wait: { p50: column, p95: column, p99: column },
  workers: column,
  claimed: column,
  latest: null,
  busiest: [],
  marks: [{ at: 1_767_225_660_000, kind: 'deploy', text: 'Deployed' }],
};

afterEach(cleanup);

describe('a mark between the rows of a long chart', () => {
  it('is in the row after it', () => {
    const minutes = Array.from({ length: 100 }, () => 1);
    const long = {
      ...history,
      to: history.from + 100 * 60_000,
      oldestAgeMs: minutes,
      marks: minutes.map((_, i) => ({
        at: history.from + i * 60_000,
        kind: 'deploy' as const,
        text: `Deploy ${i}`,
      })),
    };
    const [age] = CHARTS.filter(({ id }) => id === 'age');
    if (!age) throw new Error('no chart');
    const { container } = render(
      <HistoryCharts chart={age} history={long} showsMarks objective={null} onZoom={() => {}} />,
    );
    const rows = within(container).getAllByRole('row').slice(1);
    expect(rows.length).toBeLessThanOrEqual(30);
    expect(rows.flatMap((row) => row.textContent?.match(/Deploy \d+/g) ?? [])).toHaveLength(100);
  });
});

describe('the 60 seconds up to now', () => {
  it('B5: are the last row, with what was marked since the last whole minute', () => {
    const [age] = CHARTS.filter(({ id }) => id === 'age');
    if (!age) throw new Error('no chart');
    const at = history.to + 20_000;
    const none = { ready: 0, inFlight: 0, scheduled: 0, retry: 0, held: 0, dead: 0 };
    const counts = { arrivals: 0, completed: 0, failed: 0, lost: 0, died: 0 };
    const live: History = {
      ...history,
      latest: { at, depth: none, oldestAgeMs: 4_000, counts, workers: 1 },
      marks: [{ at: history.to + 5_000, kind: 'crash', text: 'Worker w-1 crashed' }],
    };
    const { container } = render(
      <HistoryCharts chart={age} history={live} showsMarks objective={null} onZoom={() => {}} />,
    );
    expect(container.querySelector('caption')?.textContent).toBe(
      'Oldest ready job, 2026-01-01T00:00:00.000Z to 2026-01-01T00:03:20.000Z. Each time is the start of a whole minute; the last row is of the 60 seconds before its time.',
    );
    expect(within(container).getAllByRole('row').at(-1)?.textContent).toBe(
      '2026-01-01T00:03:20.000Z4.0 sWorker w-1 crashed',
    );
  });
});

describe('live workers', () => {
  it('have a chart of a queue and of all workers, and none of a type, a tenant or all queues', () => {
    const titles = (charts: typeof CHARTS) => charts.map(({ title }) => title);
    expect(titles(QUEUE_CHARTS)).toEqual([...titles(CHARTS), 'Live workers']);
    expect(titles(WORKER_CHARTS)).toContain('Live workers');
    for (const charts of [CHARTS, SHARE_CHARTS]) expect(titles(charts)).not.toContain('Live workers');
    const column = QUEUE_CHARTS.at(-1)?.series.map((line) =>
      line.column({ ...history, workers: [3, null, 4] }),
    );
    expect(column).toEqual([[3, null, 4]]);
  });
});

describe('a chart of the history', () => {
  it.each([...CHARTS, ...WORKER_CHARTS].map((chart) => [chart.title, chart] as const))(
    '%s has a table with gaps and marks for screen readers',
    (_, chart) => {
      const { container } = render(
        <HistoryCharts chart={chart} history={history} showsMarks objective={null} onZoom={() => {}} />,
      );
      expect(container.querySelector('caption')?.textContent).toBe(
        `${chart.title}, 2026-01-01T00:00:00.000Z to 2026-01-01T00:03:00.000Z. Each time is the start of a whole minute.`,
      );
      const rows = within(container).getAllByRole('row');
      expect(rows).toHaveLength(4);
      expect(rows[2]?.textContent).toContain('not known');
      expect(rows[2]?.textContent).toContain('Deployed');
    },
  );
});
