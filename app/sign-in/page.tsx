import { SignInPage } from '@/components/sign-in/sign-in-page';
import { SIGN_IN_PROBLEMS, type SignInProblem } from '@/lib/contract/access/access-limits';
import { nextPath } from '@/lib/server/authentication/next-path';
import { signInOptions } from '@/lib/server/authentication/sign-in-methods';

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

/** Why the sign-in at the identity provider failed: a known sentence, or null. */
const refusalOf = (problem: Param): string | null =>
  typeof problem === 'string' && Object.hasOwn(SIGN_IN_PROBLEMS, problem)
    ? SIGN_IN_PROBLEMS[problem as SignInProblem]
    : null;
