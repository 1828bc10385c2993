/** Runs once when the server starts. The check keeps Node-only code out of the edge bundle. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return;
  const { startConsoleOrExit } = await import('@/lib/server/start/lifecycle');
  await startConsoleOrExit();
}
