import { hostname } from 'node:os';
import pino from 'pino';
import { readEnv } from './environment';
import { singleton } from './singleton';

/** Structured logs on standard output. Never a payload, never a header, never a password that stands in an address: of Redis host and port only. */
export const log = singleton('log', () =>
  pino({
    level: readEnv(process.env).LOG_LEVEL,
    base: { service: 'console', pid: process.pid, hostname: hostname() },
  }),
);
