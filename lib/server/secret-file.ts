/** Secrets from the environment, or from a file, as containers and service managers provide them. */

import { errorText } from '@/lib/contract/describe-error';
import { readSmallFile } from '@/lib/process/read-small-file';
import { readEnv } from './environment';

const FILE_MAX_BYTES = 10_000;
type Secret = 'OIDC_CLIENT_SECRET' | 'REDRIVE_AUDIT_KEY';

/** The secret; null: none is configured. @throws Error that names the variable and the file, but none of its content */
export function secretOf(name: Secret): string | null {
  const env = readEnv(process.env);
  const [value, path] = [env[name], env[`${name}_FILE`]];
  if (path === undefined) return value ?? null;
  let text: string;
  try {
    text = readSmallFile(path, FILE_MAX_BYTES).trim();
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    throw new Error(`${name}_FILE ${path} cannot be read (${code}).`);
  }
  if (text === '') throw new Error(`${name}_FILE ${path} must hold the secret and nothing else.`);
  if (name === 'REDRIVE_AUDIT_KEY' && text.length < 32)
    throw new Error(`${name}_FILE ${path} must hold at least 32 characters: a random key.`);
  return text;
}

/** Keys of the audit log, the present key first. During a key change the file has several, one a line. */
export function auditKeys(): string[] {
  const text = secretOf('REDRIVE_AUDIT_KEY');
  return text === null ? [] : text.split(/\s+/).filter(Boolean);
}

/** One sentence for each secret file that the console cannot use. */
export function secretFileProblems(): string[] {
  return (['OIDC_CLIENT_SECRET', 'REDRIVE_AUDIT_KEY'] as const).flatMap((name) => {
    try {
      secretOf(name);
      return [];
    } catch (error) {
      return [errorText(error)];
    }
  });
}
