/** Strings of JSON as different languages write them, and what each of them reads as. */
import fc from 'fast-check';

type Writer = (text: string) => string;
const unit = (char: string, digits: (hex: string) => string = (hex) => hex) =>
  [...Array(char.length).keys()]
    .map((i) => `\\u${digits(char.charCodeAt(i).toString(16).padStart(4, '0'))}`)
    .join('');

export const WRITERS = {
  javascript: (text) => JSON.stringify(text),
  /** `json.dumps` */
  python: (text) => JSON.stringify(text).replace(/[\x7f-\uffff]/g, (char) => unit(char)),
  /** `json_encode` */
  php: (text) =>
    JSON.stringify(text)
      .replaceAll('/', '\\/')
      .replace(/[\x80-\uffff]/g, (char) => unit(char)),
  /** `encoding/json` */
  go: (text) => JSON.stringify(text).replace(/[<>&\u2028\u2029]/g, (char) => unit(char)),
  /** All that can be escaped, in capitals. */
  paranoid: (text) => `"${[...text].map((char) => unit(char, (hex) => hex.toUpperCase())).join('')}"`,
} satisfies Record<string, Writer>;
export const writers: fc.Arbitrary<Writer> = fc.constantFrom<Writer>(...Object.values(WRITERS));

const STRING = /"(?:[^"\\]|\\.)*"/g;
/** The texts of a payload in which free text is looked for: stored, as a page shows it, without escapes. */
export function readingsOf(payload: string | null): readonly string[] {
  if (payload === null) return [];
  const json = payload.replace(/^\ufeff/, '');
  try {
    JSON.parse(json);
  } catch {
    return [payload];
  }
  return [
    payload,
    json.replace(STRING, (string) => JSON.stringify(JSON.parse(string))),
    json.replace(STRING, (string) => `"${JSON.parse(string)}"`),
  ];
}
