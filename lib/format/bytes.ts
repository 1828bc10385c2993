const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const;

/** Binary units, three significant digits: `512 B`, `1.5 KiB`, `23.4 MiB`. */
export function bytes(n: number | null | undefined): string {
  if (n === null || n === undefined || !Number.isFinite(n)) return '–';
  let size = Math.abs(n);
  let unit = 0;
  // Compare as it will be rounded, so 1,048,575 reads `1 MiB` and never `1024 KiB`.
  while (Math.round(size) >= 1024 && unit < UNITS.length - 1) {
    size /= 1024;
    unit += 1;
  }
  const text =
    unit === 0 || size >= 1000
      ? Math.round(size).toLocaleString('en-US')
      : String(Number(size.toPrecision(3)));
  return `${n < 0 && text !== '0' ? '-' : ''}${text} ${UNITS[unit]}`;
}
