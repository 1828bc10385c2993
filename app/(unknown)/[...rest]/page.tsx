import { notFound } from 'next/navigation';

export const metadata = { title: 'Not found' };

/** Every address that is no route; those under /api have one of their own. */
export default function UnknownPage() {
  notFound();
}
