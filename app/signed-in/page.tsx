import Link from 'next/link';
import { SignInCard } from '@/components/sign-in/sign-in-card';

export const metadata = { title: 'Signed in' };

/** The last page of a tab that was opened to sign in. */
export default function Page() {
  return (
    <SignInCard title="You are signed in">
      <p className="text-muted">
        Go back to the previous tab: it will continue automatically. You can close this one.
      </p>
      <Link href="/" prefetch={false} className="text-accent text-sm hover:underline">
        Go to the overview instead
      </Link>
    </SignInCard>
  );
}
