'use client';
import { CopyButton } from '@/components/ui/controls/copy-button';
import { ChevronRight, Link2, Terminal } from '@/components/ui/icons';
import { curlText } from '@/lib/browser/api/curl-text';
import { randomKey } from '@/lib/browser/api/idempotency-key';
import type { ApiWrite } from '@/lib/browser/api/query-defaults';
import { redriveText } from '@/lib/browser/api/redrive-text';

/** In a dialog that changes something: copies the address of the page, and the request that the dialog would send: for curl, and for the command line. */
export function CopyRequest({ request }: { request: () => ApiWrite }) {
  return (
    <span className="mr-auto flex items-center">
      <CopyButton
        size="md"
        label="Copy link"
        icon={<Link2 aria-hidden />}
        text={() => window.location.href}
      />
      <CopyButton
        size="md"
        label="Copy as curl"
        icon={<Terminal aria-hidden />}
        text={() => curlText(request(), { origin: window.location.origin, idempotencyKey: randomKey() })}
      />
      <CopyButton
        size="md"
        label="Copy as redrive command"
        icon={<ChevronRight aria-hidden />}
        text={() => redriveText(request(), { idempotencyKey: randomKey() })}
      />
    </span>
  );
}
