export const dynamic = 'force-dynamic';

/** The process lives. Says nothing about Redis: restarting the console would not mend that. */
export function GET(): Response {
  return Response.json({ status: 'ok' }, { headers: { 'cache-control': 'no-store' } });
}
