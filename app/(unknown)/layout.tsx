import { headers } from 'next/headers';
import { pageVisit } from '@/lib/server/authentication/page-principal';
import ConsoleLayout from '../(console)/layout';

export { generateMetadata } from '../(console)/layout';

/**
 * The shell around an address without a page, for signed-in users. A group of its own: behind the console's loading.tsx the answer would
 * have begun as 200 before the page is known to be missing.
 */
export default async function UnknownLayout({ children }: { children: React.ReactNode }) {
  // Scripts that an old page asks for: the limit on pages does not count them, so nothing is read for them.
  if ((await headers()).get('x-redrive-path')?.startsWith('/_next/')) return children;
  const { why } = await pageVisit();
  return why === 'signed-out' ? children : <ConsoleLayout>{children}</ConsoleLayout>;
}
