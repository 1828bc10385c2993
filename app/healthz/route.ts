export const dynamic = 'force-dynamic';

/** The process is alive. Ignores Redis, because restarting the console would not repair it. */
export function GET(): Response {
  return Response.json({ status: 'ok' }, { headers: { 'cache-control': 'no-store' } });
}
