import { SignInPage } from '@/components/sign-in/sign-in-page';
import { SIGN_IN_PROBLEMS, type SignInProblem } from '@/lib/contract/access';
import { nextPath } from '@/lib/server/access/next-path';
import { signInOptions } from '@/lib/server/access/ways';

export const metadata = { title: 'Sign in' };

type Props = { searchParams: Promise<{ next?: string | string[]; problem?: string | string[] }> };

export default async function Page({ searchParams }: Props) {
  const { next, problem } = await searchParams;
  return (
    <SignInPage
      options={signInOptions()}
      next={nextPath(typeof next === 'string' ? next : null)}
      refused={refusalOf(problem)}
    />
  );
}

/** Why the way over the identity provider ended: one of our sentences, or nothing. */
const refusalOf = (problem: string | string[] | undefined): string | null =>
  typeof problem === 'string' && Object.hasOwn(SIGN_IN_PROBLEMS, problem)
    ? SIGN_IN_PROBLEMS[problem as SignInProblem]
    : null;
