'use client';
import { CopyButton } from '@/components/ui/controls/copy-button';
import { Link2 } from '@/components/ui/icons';
import { curlText } from '@/lib/browser/api/curl-text';
import { randomKey } from '@/lib/browser/api/idempotency-key';
import type { ApiWrite } from '@/lib/browser/api/query-defaults';
import { redriveText } from '@/lib/browser/api/redrive-text';
import { consoleUrl } from '@/lib/browser/base-path';
import { type DialogTarget, dialogLink, type Filled } from '@/lib/browser/dialog-link';

interface CopyLinkProps {
  /** What is filled in, without payloads and secrets, for `useFilled` in the browser that opens the link. */
  filled: () => Filled;
  /** Where the dialog opens from its link; left out: the address names it already. */
  target?: DialogTarget;
}

/** Copies a link that opens the dialog as it is filled in. */
export function CopyLink({ filled, target = {} }: CopyLinkProps) {
  return (
    <CopyButton
      size="md"
      label="Copy link"
      icon={<Link2 aria-hidden />}
      text={() => dialogLink(window.location.href, target, filled())}
    />
  );
}

interface CopyCommandsProps {
  request: () => ApiWrite;
  /** Left out: the command that sends `request`. */
  command?: () => string;
  /** What it does, where a dialog offers several. */
  of?: string;
}

/** Two icons of a prompt look alike. */
const CommandName = ({ children }: { children: string }) => (
  <span translate="no" aria-hidden className="font-mono text-xs">
    {children}
  </span>
);

/** Copies a request: for curl, and for the command line. */
export function CopyCommands({ request, command, of }: CopyCommandsProps) {
  const what = of === undefined ? '' : `: ${of}`;
  return (
    <>
      <CopyButton
        size="md"
        label={`Copy as curl${what}`}
        icon={<CommandName>curl</CommandName>}
        className="w-auto px-1.5"
        text={() => curlText(request(), { origin: consoleUrl(), idempotencyKey: randomKey() })}
      />
      <CopyButton
        size="md"
        label={`Copy as redrive command${what}`}
        icon={<CommandName>CLI</CommandName>}
        className="w-auto px-1.5"
        text={command ?? (() => redriveText(request(), { idempotencyKey: randomKey() }))}
      />
    </>
  );
}

/** In a dialog that changes something: copies its link, and the request that it would send. */
export function CopyRequest({
  request,
  command,
  ...link
}: CopyLinkProps & Pick<CopyCommandsProps, 'request' | 'command'>) {
  return (
    <span className="mr-auto flex items-center">
      <CopyLink {...link} />
      <CopyCommands request={request} command={command} />
    </span>
  );
}
