import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { connection } from 'next/server';
import { NoAccess } from '@/components/sign-in/no-access';
import { signInHref } from '@/lib/browser/access/session-requests';
import { Prefetched } from '@/lib/browser/api/hydration';
import { meOf } from '@/lib/server/access/current-user';
import { pageVisit } from '@/lib/server/authentication/page-principal';
import { type Principal, scopeOf } from '@/lib/server/authentication/principal';
import { consoleEnvironment, productTitle } from '@/lib/server/environment';
import { AppFrame } from './app-frame';
import { prefetchState } from './prefetch';

/** The environment's name stands in the title, too. */
export async function generateMetadata(): Promise<Metadata> {
  await connection();
  const product = productTitle();
  return { title: { absolute: product, template: `%s · ${product}` } };
}

/**
 * Frame of every console page, with what all pages show. While Redis is unreachable, the user is unknown and only the connection banner
 * shows. No `loading.tsx` stands beside it: React would show that first, and the page behind it 300 ms later, however soon it is there.
 */
export default async function ConsoleLayout({ children }: { children: React.ReactNode }) {
  const { principal, why } = await pageVisit();
  if (why === 'signed-out') redirect(signInHref(await pathOfPage()));
  if (principal && !seesSomething(principal)) return <NoAccess me={meOf(principal, null)} />;
  return (
    <Prefetched state={await prefetchState(principal)}>
      <AppFrame environment={consoleEnvironment()}>{children}</AppFrame>
    </Prefetched>
  );
}

const seesSomething = (principal: Principal): boolean => scopeOf(principal, 'view').length > 0;

/** Set by the front server; the sign-in page validates it. */
const pathOfPage = async (): Promise<string> => (await headers()).get('x-redrive-path') ?? '/';
