/** Text that loses its middle where there is no room for all of it; ids and names often share their beginning. For a flex container. */
export function MiddleCut({ text, tail }: { text: string; tail: number }) {
  const chars = [...text];
  if (chars.length <= 2 * tail)
    return (
      <span translate="no" className="truncate">
        {text}
      </span>
    );
  return (
    <>
      <span translate="no" className="min-w-10 shrink-[99] truncate">
        {chars.slice(0, -tail).join('')}
      </span>
      <span translate="no" className="overflow-hidden whitespace-pre">
        {chars.slice(-tail).join('')}
      </span>
    </>
  );
}
