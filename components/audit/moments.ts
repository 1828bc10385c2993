/** Moments as a browser's field for date and time has them: in the viewer's zone, to the minute; pure. */

export function localInput(at: number): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return '';
  const two = (n: number) => String(n).padStart(2, '0');
  const day = `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** Null: nothing, or no moment. */
export function momentOf(text: string): number | null {
  const at = text === '' ? Number.NaN : new Date(text).getTime();
  return Number.isFinite(at) && at >= 0 ? at : null;
}
