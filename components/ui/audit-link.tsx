import { ScrollText } from 'lucide-react';
import type { Route } from 'next';
import Link from 'next/link';
import { Button } from './button';

/** From a thing to what the audit log says of it, quietly. Null: none of it is theirs to see. */
export function AuditLink({
  href,
  label = 'Audit log',
  size,
}: {
  href: string | null;
  label?: string;
  size?: 'sm' | 'md';
}) {
  if (href === null) return null;
  return (
    <Button asChild variant="ghost" size={size}>
      <Link href={href as Route} prefetch={false}>
        <ScrollText aria-hidden />
        {label}
      </Link>
    </Button>
  );
}
