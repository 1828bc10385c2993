import type { History } from '@/lib/contract/history/history-schemas';
import { isoDateTime } from '@/lib/format/date-time';
import { revealHidden } from '@/lib/format/display-text';
import { type ChartSpec, marksAt, type Point } from './history-series';
import { stepText } from './range-text';

const ROWS_MAX = 30;

/** The chart for screen readers: at most 30 rows, evenly chosen, the last one always; each with the marks since the row before. */
export function HistoryTable({
  chart,
  points,
  history,
}: {
  chart: ChartSpec;
  points: readonly Point[];
  history: History;
}) {
  const every = Math.max(1, Math.ceil(points.length / ROWS_MAX));
  const rows = points.filter((_, i) => (points.length - 1 - i) % every === 0);
  return (
    <div className="sr-only">
      <table>
        <caption>
          {chart.title}, {isoDateTime(history.from)} to {isoDateTime(history.latest?.at ?? history.to)}. Each
          time is the start of a whole {stepText(history.stepMs)}
          {history.latest !== null && '; the last row is of the 60 seconds before its time'}.
        </caption>
        <thead>
          <tr>
            <th scope="col">Time</th>
            {chart.series.map(({ label }) => (
              <th key={label} scope="col">
                {label}
              </th>
            ))}
            <th scope="col">Marks</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((point, row) => (
            <tr key={point.at}>
              <th scope="row">{isoDateTime(point.at)}</th>
              {chart.series.map(({ label }, i) => {
                const value = point[String(i)];
                return <td key={label}>{typeof value === 'number' ? chart.format(value) : 'not known'}</td>;
              })}
              <td>
                {marksAt(history, point.at, (rows[row - 1]?.at ?? Number.NEGATIVE_INFINITY) + history.stepMs)
                  .map(({ text }) => revealHidden(text))
                  .join('; ')}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
