import { Num } from '@/components/ui/number';
import type { Preview } from '@/lib/contract/operations';
import { full, percentOf } from '@/lib/format/number';
import { plural } from '@/lib/format/plural';

const FIELDS = [
  { field: 'queue', label: 'Queue', noun: 'queue' },
  { field: 'type', label: 'Type', noun: 'type' },
  { field: 'code', label: 'Error code', noun: 'code' },
  { field: 'class', label: 'Class', noun: 'class' },
  { field: 'age', label: 'Age', noun: 'age' },
  { field: 'tenant', label: 'Tenant', noun: 'tenant' },
] as const;
const SHOWN = 5;

/** What they have in common: how they spread over each field, most first. */
export function Breakdown({ breakdown, ageSampled }: Pick<Preview, 'breakdown' | 'ageSampled'>) {
  const known = FIELDS.filter(({ field }) => breakdown[field].some(({ count }) => count > 0));
  if (known.length === 0) return null;
  return (
    <section aria-label="Breakdown" className="grid gap-x-5 gap-y-3 sm:grid-cols-2 lg:grid-cols-3">
      {known.map(({ field, label, noun }) => (
        <Spread
          key={field}
          label={
            field === 'age' && ageSampled !== null ? `${label} (of the newest ${full(ageSampled)})` : label
          }
          noun={noun}
          values={breakdown[field]}
        />
      ))}
    </section>
  );
}

function Spread({
  label,
  noun,
  values,
}: {
  label: string;
  noun: string;
  values: readonly { value: string; count: number }[];
}) {
  const some = values.filter(({ count }) => count > 0);
  const total = some.reduce((sum, { count }) => sum + count, 0);
  const rest = some.slice(SHOWN);
  return (
    <div className="min-w-0">
      <h4 className="mb-1 text-faint text-xs">{label}</h4>
      <ul className="grid gap-0.5">
        {some.slice(0, SHOWN).map(({ value, count }) => (
          <li
            key={value}
            title={`${value}: ${percentOf(count, total)}`}
            className="relative isolate flex h-5 items-center justify-between gap-2 overflow-hidden rounded-sm px-1.5 text-xs"
          >
            <span
              aria-hidden
              className="absolute inset-y-0 left-0 -z-10 bg-accent/11"
              style={{ width: `${(count / Math.max(1, total)) * 100}%` }}
            />
            <span className="min-w-0 truncate">{value}</span>
            <Num value={count} className="text-muted" />
          </li>
        ))}
        {rest.length > 0 && (
          <li className="flex h-5 items-center justify-between gap-2 px-1.5 text-faint text-xs">
            <span>
              {rest.length} more {plural(rest.length, noun, noun === 'class' ? 'classes' : `${noun}s`)}
            </span>
            <Num value={rest.reduce((sum, { count }) => sum + count, 0)} />
          </li>
        )}
      </ul>
    </div>
  );
}
