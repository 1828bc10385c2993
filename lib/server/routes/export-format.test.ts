import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AUDIT_FILES } from './audit-file-format';
import { csvCell, EXPORT_COLUMNS, EXPORT_FORMAT, type ExportRow } from './export-format';

const row = (patch: Partial<ExportRow> = {}): ExportRow => ({
  queue: 'q',
  id: 'j1',
  state: 'dead',
  type: 'invoice.issue',
  version: 1,
  tenant: 'acme',
  priority: -5,
  attempts: 3,
  class: 'permanent',
  code: 'HTTP_400',
  group: 'ab12ab12ab12',
  message: 'no such account',
  createdAt: Date.UTC(2026, 0, 1),
  enteredAt: Date.UTC(2026, 0, 2, 3, 4, 5, 6),
  key: null,
  correlation: null,
  trace: null,
  payload: '{"a":1}',
  payloadEncoding: 'text',
  ...patch,
});

/** RFC 4180, read strictly: what a spreadsheet sees. */
function readCsv(text: string): string[][] {
  const lines: string[][] = [];
  let cells: string[] = [];
  let cell = '';
  for (let i = 0; i < text.length; ) {
    if (text[i] === '"') {
      for (i++; text[i] !== '"' || text[i + 1] === '"'; i++) {
        if (i >= text.length) throw new Error('an open quote');
        cell += text[i];
        if (text[i] === '"') i++;
      }
      i++;
    } else if (text[i] === ',') {
      cells.push(cell);
      cell = '';
      i++;
    } else if (text.startsWith('\r\n', i)) {
      lines.push([...cells, cell]);
      cells = [];
      cell = '';
      i += 2;
    } else {
      if (text[i] === '\r' || text[i] === '\n') throw new Error('a bare line end outside quotes');
      cell += text[i++];
    }
  }
  if (cells.length > 0 || cell !== '') throw new Error('the last line has no end');
  return lines;
}

/** As lenient as a spreadsheet: quotes count at the beginning of a cell, what stands behind the closing one is added. */
function cellsBy(separator: string, text: string): string[] {
  const cells: string[] = [];
  let [cell, isQuoted, isNew] = ['', false, true];
  for (let i = 0; i < text.length; i++) {
    const letter = text[i] ?? '';
    if (isQuoted) {
      if (letter !== '"') cell += letter;
      else if (text[i + 1] === '"') cell += text[i++];
      else isQuoted = false;
    } else if (letter === separator || letter === '\r' || letter === '\n') {
      cells.push(cell);
      [cell, isNew] = ['', true];
      continue;
    } else if (letter === '"' && isNew) isQuoted = true;
    else cell += letter;
    isNew = false;
  }
  return [...cells, cell];
}

describe('CSV', () => {
  const { head, row: line, truncated } = EXPORT_FORMAT.csv;

  it('has a header and a line a job, times as people read them, nothing for what is missing', () => {
    expect(head).toBe(`${EXPORT_COLUMNS.join(',')}\r\n`);
    expect(line(row({ payload: null, payloadEncoding: null }))).toBe(
      'q,j1,dead,invoice.issue,1,acme,-5,3,permanent,HTTP_400,ab12ab12ab12,no such account,' +
        '2026-01-01T00:00:00.000Z,2026-01-02T03:04:05.006Z,,,,,\r\n',
    );
  });

  it('C30: begins with a byte order mark for Excel, and is the same otherwise', () => {
    const { excel, csv } = EXPORT_FORMAT;
    expect([...Buffer.from(excel.head).subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    expect(excel.head.slice(1)).toBe(csv.head);
    const umlaut = row({ message: 'Zürich 你好 🚀' });
    expect(excel.row(umlaut)).toBe(csv.row(umlaut));
    expect(excel.truncated(3)).toBe(csv.truncated(3));
    expect(excel.contentType).toBe(csv.contentType);
    const about = {
      at: 0,
      head: { key: '', stored: ['', '', ''] as const, n: 0, hash: '', base: { n: 0, hash: '' } },
      filter: {},
      whole: true,
      cut: false,
    };
    expect(AUDIT_FILES.excel.head(about)).toBe(`\uFEFF${AUDIT_FILES.csv.head(about)}`);
  });

  it('quotes what would break a line', () => {
    expect(csvCell('a "b", c')).toBe('"a ""b"", c"');
    expect(csvCell('two\nlines')).toBe('"two\nlines"');
    expect(csvCell('two\r\nlines')).toBe('"two\r\nlines"');
    expect(csvCell('ü 山 😀')).toBe('ü 山 😀');
    expect(csvCell('')).toBe('');
  });

  it('lets no text be a formula, and leaves numbers numbers', () => {
    for (const text of ['=1+1', '+1', '-1', '@SUM(A1)', '\0=1', '＝1', '＋1', '－1', '＠a'])
      expect(readCsv(`${csvCell(text)}\r\n`)).toEqual([[`'${text}`]]);
    expect(csvCell(`=cmd|' /C calc'!A0`)).toBe(`'=cmd|' /C calc'!A0`);
    expect(csvCell('=HYPERLINK("http://x","y")')).toBe(`"'=HYPERLINK(""http://x"",""y"")"`);
    expect(csvCell(-5)).toBe('-5');
    expect(csvCell('a=1')).toBe('a=1');
    expect(readCsv(`${csvCell('\t=1')}\r\n`)).toEqual([["'\t'=1"]]);
  });

  it.each([
    ['a;=1+1', "a;'=1+1"],
    ['a\t=1+1', "a\t'=1+1"],
    ['a|@SUM(A1)', "a|'@SUM(A1)"],
    ['a\n=1+1', `"a\n'=1+1"`],
    ['a; "=1+1"', `"a;' ""=1+1"""`],
    ['a;HYPERLINK;-2+3', "a;HYPERLINK;'-2+3"],
    ['{"a":-5,"b": [1, -2]}', '"{""a"":-5,""b"": [1, -2]}"'],
  ])('L5: %j holds no formula behind another sign that separates cells', (text, cell) => {
    expect(csvCell(text)).toBe(cell);
  });

  it('L5: no cell is a formula, whatever a spreadsheet takes for the end of a cell', () => {
    const letters = ['"', ',', ';', '|', '\t', '\r', '\n', ' ', '=', '+', '-', '@', '＝', 'a', "'"];
    const awkward = fc.array(fc.constantFrom(...letters)).map((chosen) => chosen.join(''));
    const plain = row({ priority: 1 });
    fc.assert(
      fc.property(awkward, awkward, fc.constantFrom(',', ';', '\t', '|'), (message, payload, separator) => {
        for (const cell of cellsBy(separator, line({ ...plain, message, payload })))
          expect(cell).not.toMatch(/^[=+\-@＝]/);
      }),
    );
  });

  it('says in its last line when there was more, as wide as the others', () => {
    const [cells] = readCsv(truncated(1_000));
    expect(cells).toHaveLength(EXPORT_COLUMNS.length);
    expect(cells?.slice(0, 3)).toEqual(['#truncated', '1000', '']);
  });

  it('is read back as it was written, whatever the letters', () => {
    const letters = [
      '"',
      ',',
      '\r',
      '\n',
      '\t',
      '\0',
      ' ',
      "'",
      '=',
      '+',
      '-',
      '@',
      '＝',
      '＠',
      'a',
      'ü',
      '😀',
    ];
    const awkward = fc.array(fc.constantFrom(...letters)).map((chosen) => chosen.join(''));
    fc.assert(
      fc.property(awkward, fc.string(), (message, payload) => {
        const [cells] = readCsv(line(row({ message, payload })));
        // Apostrophes are put in front of what would be a formula, and nothing else is changed.
        const bare = (text = '') => text.replaceAll("'", '');
        const read = (at: number, text: string) => expect(bare(cells?.[at])).toBe(bare(text));
        read(EXPORT_COLUMNS.indexOf('message'), message);
        read(EXPORT_COLUMNS.indexOf('payload'), payload);
        expect(cells).toHaveLength(EXPORT_COLUMNS.length);
      }),
    );
  });
});

describe('NDJSON', () => {
  const { head, row: line, truncated } = EXPORT_FORMAT.ndjson;

  it('is a JSON object a line, in the order of the columns, with payloads letter for letter', () => {
    const payload = '{"big":9007199254740993, "one":1.0,\n"text":"\\u0000ü"}';
    const written = line(row({ payload }));
    expect(head).toBe('');
    expect(written.endsWith('\n')).toBe(true);
    expect(written.slice(0, -1)).not.toContain('\n');
    const read = JSON.parse(written);
    expect(Object.keys(read)).toEqual([...EXPORT_COLUMNS]);
    expect(read).toEqual(row({ payload }));
  });

  it('says in its last line when there was more', () => {
    expect(truncated(2)).toBe('{"truncated":true,"rows":2}\n');
  });
});
