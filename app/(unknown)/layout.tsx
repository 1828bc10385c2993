import { headers } from 'next/headers';
import { pageVisit } from '@/lib/server/authentication/page-principal';
import ConsoleLayout from '../(console)/layout';

export { generateMetadata } from '../(console)/layout';

/**
 * The shell around an address without a page, for signed-in users. A separate route group, because the console's loading.tsx would
 * start the response with 200.
 */
export default async function UnknownLayout({ children }: { children: React.ReactNode }) {
  // Open pages request the scripts of an older build. The rate limit skips these requests, so they must not read anything.
  if ((await headers()).get('x-redrive-path')?.startsWith('/_next/')) return children;
  const { why } = await pageVisit();
  return why === 'signed-out' ? children : <ConsoleLayout>{children}</ConsoleLayout>;
}
