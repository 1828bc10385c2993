import { SignInPage } from '@/components/sign-in/sign-in-page';
import { SIGN_IN_PROBLEMS, type SignInProblem } from '@/lib/contract/access';
import { nextPath } from '@/lib/server/access/next-path';
import { signInOptions } from '@/lib/server/access/ways';

export const metadata = { title: 'Sign in' };

type Param = string | string[] | undefined;
type Props = { searchParams: Promise<Partial<Record<'next' | 'problem' | 'signed-out', Param>>> };

export default async function Page({ searchParams }: Props) {
  const { next, problem, 'signed-out': signedOut } = await searchParams;
  return (
    <SignInPage
      options={signInOptions()}
      next={nextPath(typeof next === 'string' ? next : null)}
      refused={refusalOf(problem)}
      signedOut={signedOut === '1'}
    />
  );
}

/** Why the way over the identity provider ended: one of our sentences, or nothing. */
const refusalOf = (problem: Param): string | null =>
  typeof problem === 'string' && Object.hasOwn(SIGN_IN_PROBLEMS, problem)
    ? SIGN_IN_PROBLEMS[problem as SignInProblem]
    : null;
