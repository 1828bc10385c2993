import { hostname } from 'node:os';
import pino from 'pino';
import { readEnv } from './environment';
import { singleton } from './singleton';

/** The build shortens names of classes; the name that an error carries stays as in the source. */
const namedError = (error: Error) => {
  const shown = pino.stdSerializers.err(error);
  return error instanceof Error ? { ...shown, type: error.name } : shown;
};

/** Structured logs on standard output. Never a payload, never a header, never a password that stands in an address: of Redis host and port only. */
export const log = singleton('log', () =>
  pino({
    level: readEnv(process.env).LOG_LEVEL,
    base: { service: 'console', pid: process.pid, hostname: hostname() },
    serializers: { err: namedError },
  }),
);
