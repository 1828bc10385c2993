/** The texts in which free text looks for a payload's words: what language wrote its JSON makes no difference to what is found. */
import { jsonStart } from '@/lib/format/json-scanner';
import { isJson } from '../../json-fault';

/** Two escapes make one character outside of the basic plane. */
const ESCAPE = /\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\(?:u[\da-fA-F]{4}|.)/g;

/**
 * As it is stored, as the page shows it (only what JSON must escape is escaped), and as it reads without any escape. A payload that is
 * not JSON has no escapes.
 */
export function payloadTexts(payload: string): readonly string[] {
  if (!payload.includes('\\') || !isJson(payload.slice(jsonStart(payload)))) return [payload];
  const read = new Map<string, string>();
  const shown = new Map<string, string>();
  for (const spelling of new Set(payload.match(ESCAPE))) {
    const value = String(JSON.parse(`"${spelling}"`));
    read.set(spelling, value);
    shown.set(spelling, JSON.stringify(value).slice(1, -1));
  }
  const spelled = (by: ReadonlyMap<string, string>) =>
    payload.replace(ESCAPE, (spelling) => by.get(spelling) ?? spelling);
  return [payload, spelled(shown), spelled(read)];
}
