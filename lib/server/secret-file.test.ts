import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { secretFileProblems, secretOf } from './secret-file';

afterEach(() => vi.unstubAllEnvs());

it.each(['OIDC_CLIENT_SECRET', 'REDRIVE_AUDIT_KEY'] as const)(
  'R9: a changed file of %s counts at once',
  (name) => {
    const dir = mkdtempSync(join(tmpdir(), 'redrive-secret-'));
    const file = join(dir, 'secret');
    vi.stubEnv('REDIS_URL', 'redis://127.0.0.1:6379');
    vi.stubEnv(`${name}_FILE`, file);
    try {
      for (const secret of ['a'.repeat(40), 'b'.repeat(40)]) {
        writeFileSync(file, `${secret}\n`);
        expect(secretOf(name)).toBe(secret);
      }
      writeFileSync(file, '');
      expect(() => secretOf(name)).toThrow(`${name}_FILE ${file} must hold the secret and nothing else.`);
      rmSync(file);
      expect(secretFileProblems()).toEqual([`${name}_FILE ${file} cannot be read (ENOENT).`]);
    } finally {
      rmSync(dir, { recursive: true });
    }
  },
);
