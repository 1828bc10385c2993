import { full } from '@/lib/format/number';
import { Field } from './field';
import { Input } from './input';

/** A field for a queue's name: any may be typed; those that exist are offered, and what is not offered is counted. */
export function QueueField({
  label,
  value,
  names,
  of,
  error,
  placeholder,
  className,
  onChange,
}: {
  label: string;
  value: string;
  names: readonly string[];
  /** How many queues the names are a part of, and what these have in their name. */
  of: { readonly matching: number; readonly q: string } | null;
  error?: string;
  placeholder?: string;
  className?: string;
  onChange: (queue: string) => void;
}) {
  const cut = of && cutWords(names.length, of.matching, of.q);
  return (
    <Field label={label} hint={cut} error={error}>
      {(control) => (
        <>
          <Input
            {...control}
            className={className}
            placeholder={placeholder}
            list={`${control.id}-queues`}
            maxLength={100}
            value={value}
            onChange={({ target }) => onChange(target.value)}
          />
          <datalist id={`${control.id}-queues`}>
            {names.map((queue) => (
              <option key={queue} value={queue} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}

/** "25 of 3,412 queues: type to search". */
function cutWords(listed: number, matching: number, q: string): string | null {
  if (listed >= matching) return null;
  return q === ''
    ? `${full(listed)} of ${full(matching)} queues: type to search`
    : `${full(listed)} of ${full(matching)} queues with “${q}”: type more`;
}
