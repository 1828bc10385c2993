/** What is measured about dead letters, and the bars. All of them are values: nothing else searches a million to compare with. */
import type { Measure } from '../harness/bench-measures';

const row = (
  name: string,
  title: string,
  unit: Measure['unit'],
  bar: number | null,
  cell: string,
): Measure => ({
  name,
  title,
  unit,
  better: 'less',
  bar: bar === null ? null : { of: 'value', value: bar },
  cell,
  sides: ['ours'],
});

/** Nobody who waits for Redis should notice a script. */
export const LONGEST_SCRIPT_BAR_MS = 5;

export const DEAD_MEASURES: readonly Measure[] = [
  row('page-50-any-filter', 'a page of 50, the slowest of the indexed queries, p50', 'ms', 5, 'pages'),
  row('page-50-deep', 'the same in the middle of the list, by cursor, p50', 'ms', 5, 'pages'),
  row('facets', 'facets, the slowest of the queries, p50', 'ms', 30, 'facets'),
  row('facets-cold', 'facets after a change of the dead letters', 'ms', null, 'facets'),
  row('groups', 'failure groups, the slowest of the queries, p50', 'ms', 30, 'facets'),
  row(
    'groups-page',
    'groups and facets at once, of 178 groups in 200 queues, in a console just started',
    'ms',
    1_500,
    'groupsPage',
  ),
  row('text-first-page', 'free text, first page of what many have, p50', 'ms', 100, 'text'),
  row('text-all', 'free text, twelve found among all', 's', 5, 'text'),
  row('others-p99-while-text', "another client's p99 while all are scanned", 'ms', 5, 'text'),
  row('redrive-50k', 're-drive 50,000, preview to end', 's', 4, 'redrive'),
  row('redrive-1m', 're-drive all that is left, for a million at that rate', 's', 80, 'redrive'),
  row('others-p99-while-redriven', "another client's p99 while 50,000 are re-driven", 'ms', 5, 'redrive'),
  row('purge-100k', 'purge 100,000', 's', null, 'purge'),
  row('undo-100k', 'undo of that purge', 's', null, 'purge'),
  row(
    'longest-script',
    'the longest any script held Redis, in all of it',
    'ms',
    LONGEST_SCRIPT_BAR_MS,
    'scripts',
  ),
];
