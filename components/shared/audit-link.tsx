import type { Route } from 'next';
import Link from 'next/link';
import { ScrollText } from '@/components/ui/icons';
import { Button } from '../ui/controls/button';

/** Link to the audit log of an object; nothing without the permission (`href` null). */
export function AuditLink({ href }: { href: string | null }) {
  if (href === null) return null;
  return (
    <Button asChild variant="ghost">
      <Link href={href as Route} prefetch={false}>
        <ScrollText aria-hidden />
        Audit log
      </Link>
    </Button>
  );
}
