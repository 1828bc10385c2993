/**
 * The token of a monitoring system that the settings name by its hash, so that metrics need no console that is set up by hand. Only
 * `GET /metrics` takes it, and it needs no Redis.
 */
import type { Grant } from '@/lib/contract/access/grant-scopes';
import { readEnv } from '../environment';
import { addressOf } from '../http/client-network';
import { ANONYMOUS, type Principal } from './principal';
import { digestOf } from './session-cookie';

const VIEWER: readonly Grant[] = [{ role: 'viewer', queues: ['*'], tenants: null }];

/** Null: the request has another token, or none. */
export function metricsPrincipal(request: Request): Principal | null {
  const hash = readEnv(process.env).REDRIVE_METRICS_TOKEN_HASH;
  const [, token] = /^bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '') ?? [];
  if (hash === undefined || token === undefined || digestOf(token) !== hash) return null;
  return {
    ...ANONYMOUS,
    id: 'token:metrics',
    name: 'the metrics token of the settings',
    method: 'token',
    grants: [VIEWER],
    address: addressOf(request),
  };
}
