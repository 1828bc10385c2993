import { PageNotFound } from '@/components/shell/page-not-found';

export const metadata = { title: 'Not found' };

export default function NotFound() {
  return <PageNotFound />;
}
