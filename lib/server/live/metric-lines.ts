/** The text format of Prometheus, version 0.0.4. Pure. */

export type MetricType = 'gauge' | 'counter' | 'histogram';
type Labelled<Value> = readonly (readonly [labels: string, value: Value])[];

/** One metric with its values; those that are null are left out. */
export const metric = (
  name: string,
  type: MetricType,
  help: string,
  values: Labelled<number | null>,
): string[] => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} ${type}`,
  ...values.flatMap(([labels, value]) => (value === null ? [] : [`${name}${labels} ${value}`])),
];

export const gauge = (name: string, help: string, value: number | null): string[] =>
  metric(name, 'gauge', help, [['', value]]);

export interface Distribution {
  readonly queue: string;
  /** Value or upper bound → how often. */
  readonly counts: readonly (readonly [number, number])[];
  /** Null: not known, and left out. */
  readonly sum: number | null;
}

/** @param bounds of the buckets; the last one, without a bound, is added */
export function histogram(
  name: string,
  help: string,
  bounds: readonly number[],
  distributions: readonly Distribution[],
): string[] {
  const values = distributions.flatMap(({ queue, counts, sum }) => {
    const upTo = (bound: number) =>
      counts.reduce((total, [value, count]) => total + (value <= bound ? count : 0), 0);
    const all = upTo(Infinity);
    return [
      ...bounds.map((bound) => [`_bucket{queue="${queue}",le="${bound}"}`, upTo(bound)] as const),
      [`_bucket{queue="${queue}",le="+Inf"}`, all] as const,
      [`_sum{queue="${queue}"}`, sum] as const,
      [`_count{queue="${queue}"}`, all] as const,
    ];
  });
  return metric(name, 'histogram', help, values);
}

/** Job types and status words have no quotes in them; this holds for whatever else becomes a label. */
export const label = (text: string): string =>
  text.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n');
