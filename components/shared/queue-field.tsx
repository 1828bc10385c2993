import { fullNumber } from '@/lib/format/number';
import { Field } from '../ui/controls/field';
import { Input } from '../ui/controls/input';

/** A field for a queue name with existing names as suggestions, and the number of further ones. */
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
  /** Number of queues that match, and the text in their names. */
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
    ? `${fullNumber(listed)} of ${fullNumber(matching)} queues: type to search`
    : `${fullNumber(listed)} of ${fullNumber(matching)} queues with “${q}”: type more`;
}
