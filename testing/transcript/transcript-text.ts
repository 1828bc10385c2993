/** A transcript that is the same each time: what differs from run to run is masked, and the columns are aligned anew. */

/** In this order: a mask must not cut what a later one looks for. */
const MASKS: readonly (readonly [pattern: RegExp, mask: string])[] = [
  // As many lines as the machine is slow.
  [/^\{"progress".*\n/gm, ''],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, '<time>'],
  [/^((?:arrival|completed) per second) .*$/gm, '$1  <rate>'],
  [/\b1[6-9]\d{11}\b/g, '<ms>'],
  [/^Looked at .* jobs\./gm, 'Looked at <all> jobs.'],
  [/\bhttp:\/\/127\.0\.0\.1:\d+/g, 'http://127.0.0.1:3000'],
  // Ids that Redrive makes: of an operation, a request.
  [/\b[0-9A-HJKMNP-TV-Z]{10}[0-9A-HJKMNP-TV-Zr][0-9A-HJKMNP-TV-Z]{9}\b/g, '<id>'],
  [/(?<![\w.-])<?\d+(?:\.\d+)? (?:ms|s|m|min|h|days?)\b(?: \d+ (?:ms|s|m|min))?/g, '<duration>'],
];

/** @param varying names of facts whose values depend on the moment */
export function maskedText(text: string, varying: readonly string[] = []): string {
  const masks = [
    ...varying.map((name) => [new RegExp(`^(${name}) {2,}.*$`, 'gm'), '$1  <now>'] as const),
    ...MASKS,
  ];
  const masked = masks.reduce((line, [pattern, mask]) => line.replaceAll(pattern, mask), text.trimEnd());
  return alignedText(masked);
}

/** Neighbouring lines with columns are a table; lines that begin with a space are JSON. */
function alignedText(text: string): string {
  const rows = text.split('\n').map((line) => (line.startsWith(' ') ? [line] : line.split(/ {2,}/)));
  const lines: string[] = [];
  for (let start = 0; start < rows.length; ) {
    let end = start;
    while (end < rows.length && (rows[end]?.length ?? 0) > 1) end += 1;
    const table = rows.slice(start, Math.max(end, start + 1));
    const widths = (table[0] ?? []).map((_, column) =>
      Math.max(...table.map((row) => row[column]?.length ?? 0)),
    );
    for (const row of table)
      lines.push(
        row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd(),
      );
    start += table.length;
  }
  return lines.join('\n');
}
