// @vitest-environment happy-dom
import { cleanup, render, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import type { History } from '@/lib/contract/history/history-schemas';
import { HistoryCharts } from './history-charts';
import { CHARTS } from './history-series';

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
  busiest: [],
  marks: [{ at: 1_767_225_660_000, kind: 'deploy', text: 'Deployed' }],
};

afterEach(cleanup);

describe('a chart of the history', () => {
  it.each(CHARTS.map((chart) => [chart.title, chart] as const))(
    '%s has a table with gaps and marks for screen readers',
    (_, chart) => {
      const { container } = render(
        <HistoryCharts chart={chart} history={history} showsMarks objectiveMs={null} onZoom={() => {}} />,
      );
      const rows = within(container).getAllByRole('row');
      expect(rows).toHaveLength(4);
      expect(rows[2]?.textContent).toContain('not known');
      expect(rows[2]?.textContent).toContain('Deployed');
    },
  );
});
