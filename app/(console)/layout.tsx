import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { NoAccess } from '@/components/sign-in/no-access';
import { Prefetched } from '@/lib/client/prefetched';
import { signInHref } from '@/lib/client/session-api';
import { meOf } from '@/lib/server/access/me';
import { type Principal, withinOf } from '@/lib/server/access/principal';
import { pageVisit } from '@/lib/server/page-principal';
import { AppFrame } from './app-frame';
import { prefetchState } from './prefetch';

/**
 * Every page of the console. The pages below are rendered without any data, so that none is in what a browser gets that asks
 * for a page alone; what is prefetched here is what this person may see. While Redis cannot be asked who it is, the page says
 * that the console is out of order, and nothing else.
 */
export default async function ConsoleLayout({ children }: { children: React.ReactNode }) {
  const { principal, why } = await pageVisit();
  if (why === 'signed-out') redirect(signInHref(await pathOfPage()) as never);
  if (principal && !seesSomething(principal)) return <NoAccess me={meOf(principal)} />;
  return (
    <Prefetched state={await prefetchState(principal)}>
      <AppFrame>{children}</AppFrame>
    </Prefetched>
  );
}

const seesSomething = (principal: Principal): boolean => withinOf(principal, 'view').length > 0;

/** As the HTTP server in front wrote it down; the sign-in page makes sure that it leads nowhere else. */
const pathOfPage = async (): Promise<string> => (await headers()).get('x-redrive-path') ?? '/';
