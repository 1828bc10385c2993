import { PageNotFound } from '@/components/shell/page-not-found';

/** Keeps the shell. */
export default function NotFound() {
  return <PageNotFound />;
}
