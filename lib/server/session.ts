/**
 * Who is asking, and may they. Sign-in comes later; until then the console answers loopback only, and whoever sits there is
 * the operator, under the name they gave. Every route already states the permission it needs, so that sign-in changes this file and no route.
 */
import type { Actor } from '@/lib/broker';
import { RedriveError } from '@/lib/contract/errors';
import type { Permission } from '@/lib/contract/permissions';
import { type Principal, permissionsOf } from './access/principal';
import { isLoopbackHost } from './env';

export interface Session {
  readonly actor: string;
  readonly permissions: ReadonlySet<Permission>;
}

/** @throws RedriveError FORBIDDEN for a Host that is not this machine (which is how DNS rebinding would look) */
export function refuseOtherHosts(request: Request): void {
  if (!isOwnHost(request.headers.get('host')))
    throw new RedriveError(
      'FORBIDDEN',
      'This console answers on a loopback address only. Open it as http://127.0.0.1 on the machine it runs on.',
      { fields: [{ field: 'Host', message: 'is not this machine' }] },
    );
}

export const sessionOf = (principal: Principal): Session => ({
  actor: principal.name,
  permissions: new Set(permissionsOf(principal)),
});

/** Whether a Host header names this machine. */
export const isOwnHost = (host: string | null): boolean => isLoopbackHost((host ?? '').replace(/:\d+$/, ''));

export function requirePermission(session: Session, permission: Permission): void {
  if (!session.permissions.has(permission))
    throw new RedriveError(
      'FORBIDDEN',
      `This needs the permission "${permission}", which ${session.actor} does not have.`,
    );
}

/** The caller's key ties a resend to its first sending. */
export const actorOf = (input: {
  session: Session;
  requestId: string;
  idempotencyKey: string | null;
  body?: { reason?: string };
}): Actor => ({
  actor: input.session.actor,
  reason: input.body?.reason,
  requestId: input.idempotencyKey ?? input.requestId,
});

/** Another site's page may neither read nor start anything: not the streams, not the costly searches. */
export function refuseOtherSites(request: Request): void {
  const site = request.headers.get('sec-fetch-site');
  if (site === 'cross-site' || site === 'same-site')
    throw new RedriveError(
      'CROSS_ORIGIN',
      'The API answers the console and programs, not pages of other sites.',
      {
        fields: [{ field: 'Origin', message: 'is another site' }],
      },
    );
}

/** A change must come from this site's own pages, or from a client that is no browser. */
export function requireSameOrigin(request: Request): void {
  const site = request.headers.get('sec-fetch-site');
  const origin = request.headers.get('origin');
  const own = origin === null || hostOf(origin) === request.headers.get('host');
  if ((site !== null && site !== 'same-origin' && site !== 'none') || !own)
    throw new RedriveError(
      'CROSS_ORIGIN',
      'Changes are accepted from the console itself or from programs, not from other sites. Nothing was changed.',
      { fields: [{ field: 'Origin', message: 'is another site' }] },
    );
}

function hostOf(origin: string): string | null {
  try {
    return new URL(origin).host;
  } catch {
    return null;
  }
}
