/** Each setting that names a file of secrets, certificates or users: the test in which the file changes while the process runs. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { BrokerOptions, TlsFiles } from '@/lib/broker';
import { CONSOLE_SETTINGS } from '@/lib/server/environment-table';

type FileOf<Name> = Extract<Name, `${string}_FILE` | `${string}File`>;
type FileSetting = FileOf<keyof typeof CONSOLE_SETTINGS | keyof BrokerOptions | keyof TlsFiles>;

const ROTATED = 'testing/topologies/rotated-secrets.redis.test.ts';
/** A new setting does not compile until its test stands here. */
const TESTS: Record<FileSetting, readonly [file: string, title: string]> = {
  REDIS_URL_FILE: [ROTATED, 'in the file of the address'],
  urlFile: [ROTATED, 'in the file of the address'],
  REDIS_CA_FILE: [ROTATED, 'in files named by %s'],
  caFile: [ROTATED, 'in files named by %s'],
  certFile: [ROTATED, 'in files named by %s'],
  keyFile: [ROTATED, 'in files named by %s'],
  OIDC_CLIENT_SECRET_FILE: [
    'lib/server/authentication/identity-provider/oidc-providers.route.test.ts',
    'R9: a rotated client secret holds without a restart, and a file without one is named',
  ],
  REDRIVE_ALERTS_FILE: [
    'lib/server/alerts/alert-config.test.ts',
    'R9: holds the same, and a change of it holds at once; while it cannot be used, the last one does',
  ],
  REDRIVE_USERS_FILE: [
    'lib/server/authentication/users/local-users.test.ts',
    'a changed file counts with the next look',
  ],
  REDRIVE_AUDIT_KEY_FILE: ['lib/server/secret-file.test.ts', 'R9: a changed file of %s counts at once'],
};

it.each(Object.entries(TESTS))('R9: a change of %s has a test', (_, [file, title]) => {
  expect(readFileSync(file, 'utf8')).toContain(`'${title}'`);
});

it('R9: no path of a setting is left out', () => {
  const paths = Object.entries(CONSOLE_SETTINGS).filter(([, row]) => 'type' in row && row.type === 'path');
  expect(paths.map(([name]) => name).filter((name) => !Object.hasOwn(TESTS, name))).toEqual([]);
});
