/** Certificates and keys for TLS, from files. */
import { createSecureContext } from 'node:tls';
import type { RedisOptions } from 'ioredis';
import { errorText } from '@/lib/contract/describe-error';
import { RedriveError } from '@/lib/contract/redrive-error';
import { readSmallFile } from '@/lib/process/read-small-file';
import type { RedisAddress } from '../redis-address';

/** Files for TLS, read anew at each connect. Certificates are always verified; there is no switch to turn that off. */
export interface TlsFiles {
  /** Authorities to trust instead of the system's, PEM. Default: the environment's REDIS_CA_FILE. */
  caFile?: string;
  /** Our own certificate and key, PEM, for servers that ask for one. */
  certFile?: string;
  keyFile?: string;
  /** The name the server's certificate must carry, if it is not its host. */
  servername?: string;
}
type TlsOptions = RedisOptions['tls'];

/** Which files count: the option wins over the address, the address over the environment. */
export const tlsFilesOf = ({ files }: RedisAddress, given: TlsFiles = {}): TlsFiles => ({
  caFile: process.env.REDIS_CA_FILE || undefined,
  ...files,
  ...given,
});

/** @throws RedriveError VALIDATION that names the file that cannot be used */
export function tlsOptions(address: RedisAddress, given: TlsFiles = {}): TlsOptions {
  if (!address.secure) {
    if (given.caFile || given.certFile || given.keyFile)
      throw refusal(
        'tls',
        'was given, but the Redis address is not one with TLS: start it with rediss://, rediss+sentinel:// or rediss+cluster://',
      );
    return undefined;
  }
  const { caFile, certFile, keyFile, servername } = tlsFilesOf(address, given);
  const pems = {
    ...(caFile ? { ca: readPem(caFile, 'tls.caFile') } : {}),
    ...(certFile ? { cert: readPem(certFile, 'tls.certFile') } : {}),
    ...(keyFile ? { key: readPem(keyFile, 'tls.keyFile') } : {}),
  };
  try {
    createSecureContext(pems);
  } catch (error) {
    throw refusal('tls', whyUnusable(error));
  }
  return { ...pems, ...(servername ? { servername } : {}) };
}

/** While two files are replaced one after the other, they do not belong together for a moment. */
function whyUnusable(error: unknown): string {
  const words = errorText(error);
  return /key values mismatch/i.test(words)
    ? 'certFile and keyFile do not belong together'
    : `the files cannot be used (${words.replace(/^error:\w*:/, '').slice(0, 120)})`;
}

/** Bundles of all public authorities take some hundred KB. */
const FILE_MAX_BYTES = 2_000_000;

function readPem(path: string, field: string): string {
  let pem: string;
  try {
    pem = readSmallFile(path, FILE_MAX_BYTES);
  } catch (error) {
    const { code = 'an error' } = error as NodeJS.ErrnoException;
    throw refusal(field, `the file ${path} cannot be read (${code})`);
  }
  if (!pem.includes('-----BEGIN ')) throw refusal(field, `the file ${path} holds nothing in PEM form`);
  return pem;
}

const refusal = (field: string, message: string) =>
  new RedriveError('VALIDATION', `${field}: ${message}.`, { fields: [{ field, message }] });
