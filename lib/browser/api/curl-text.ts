/** A request of the console as a command for a shell: what a dialog would send, for a runbook or a script. */
import type { ApiWrite } from './query-defaults';

/** In single quotes, in which a shell reads nothing but their end. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/**
 * The API token is read from the shell's environment. The idempotency key is written out, so that the command run twice changes
 * things once.
 */
export function curlText(
  { method, path, body }: ApiWrite,
  { origin, idempotencyKey }: { origin: string; idempotencyKey: string },
): string {
  return [
    `curl -sS -X ${method} ${shellQuoted(`${origin}${path}`)}`,
    '-H "authorization: Bearer $REDRIVE_TOKEN"',
    "-H 'content-type: application/json'",
    `-H ${shellQuoted(`idempotency-key: ${idempotencyKey}`)}`,
    // As the browser sends it.
    `--data-raw ${shellQuoted(JSON.stringify(body ?? {}))}`,
  ].join(' \\\n  ');
}
