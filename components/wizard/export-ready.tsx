'use client';
import { Download } from 'lucide-react';
import type { Route } from 'next';
import Link from 'next/link';
import { Button } from '@/components/ui/button';
import { DialogContent } from '@/components/ui/dialog';
import { links } from '@/lib/client/links';
import { paths } from '@/lib/contract/api';
import type { Operation } from '@/lib/contract/operations';

/** The file is written while it is fetched: the link is all there is left to do. */
export function ExportReady({ operation, onClose }: { operation: Operation; onClose: () => void }) {
  return (
    <DialogContent
      size="sm"
      title="The export is ready"
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button asChild variant="primary">
            <a href={paths.operationFile(operation.id)} download>
              <Download aria-hidden />
              Download {operation.format?.toUpperCase()}
            </a>
          </Button>
        </>
      }
    >
      <p className="text-sm">
        The file is written while you download it; if there is more than the most rows you asked for, its end
        says so. It stays here:{' '}
        <Link
          href={links.operation(operation.id) as Route}
          className="text-accent underline"
          onClick={onClose}
        >
          the operation
        </Link>
        .
      </p>
    </DialogContent>
  );
}
