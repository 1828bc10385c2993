/** Certificates for a test: made by openssl when they are needed, valid for a day, in a folder that is removed with the test. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface Certificates {
  readonly caFile: string;
  /** Another authority, which signed nothing here. */
  readonly strangerCaFile: string;
  /** For 127.0.0.1 and localhost. */
  readonly certFile: string;
  readonly keyFile: string;
  /** What makes a Redis serve TLS with them. */
  redisArgs(port: number): string[];
  remove(): Promise<void>;
}

export async function makeCertificates(): Promise<Certificates> {
  const dir = await mkdtemp(join(tmpdir(), 'redrive-tls-'));
  const file = (name: string) => join(dir, name);
  const openssl = (...args: string[]) => run('openssl', args, { timeout: 20_000 });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const authority = (name: string) =>
    openssl(
      'req',
      '-x509',
      ...key,
      ...['-keyout', file(`${name}.key`), '-out', file(`${name}.pem`)],
      ...['-days', '1', '-subj', `/CN=${name}`],
    );
  await Promise.all([authority('ca'), authority('stranger')]);
  await openssl(
    ...['req', '-x509', ...key, '-CA', file('ca.pem'), '-CAkey', file('ca.key')],
    ...['-keyout', file('server.key'), '-out', file('server.pem'), '-days', '1', '-subj', '/CN=redis'],
    ...['-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost', '-addext', 'basicConstraints=CA:FALSE'],
  );
  return {
    caFile: file('ca.pem'),
    strangerCaFile: file('stranger.pem'),
    certFile: file('server.pem'),
    keyFile: file('server.key'),
    redisArgs: (port) => [
      ...['--tls-port', String(port), '--tls-auth-clients', 'optional'],
      ...['--tls-ca-cert-file', file('ca.pem'), '--tls-cert-file', file('server.pem')],
      ...['--tls-key-file', file('server.key')],
    ],
    remove: () => rm(dir, { recursive: true, force: true }),
  };
}
