'use client';
import { useState } from 'react';
import { Button } from '@/components/ui/controls/button';
import { Download, ShieldCheck } from '@/components/ui/icons';
import { lazyPart } from '@/components/ui/lazy-part';
import { Menu, MenuContent, MenuItem, MenuLabel, MenuTrigger } from '@/components/ui/overlays/dropdown-menu';
import { Dialog } from '@/components/ui/overlays/lazy-dialogs';
import { DataAge } from '@/components/ui/text/relative-time';
import { usePageActions } from '@/components/ui/use-page-actions';
import { useMay } from '@/lib/browser/access/use-permissions';
import { auditFileHref, useAuditPage, useSeesWholeLog } from '@/lib/browser/use-audit';
import { useAuditView } from './use-audit-view';

const VerifyLogDialog = lazyPart(() =>
  import('./verify-log-dialog').then((module) => module.VerifyLogDialog),
);

/** Never stale: the list stands still on purpose and announces new events. */
export function AuditAge() {
  const { filter, cursor } = useAuditView();
  return <DataAge at={useAuditPage(filter, cursor).data?.at} staleAfterMs={Number.POSITIVE_INFINITY} />;
}

export function AuditActions() {
  const [checking, setChecking] = useState(false);
  const whole = useSeesWholeLog();
  return (
    <>
      {whole && (
        <Button onClick={() => setChecking(true)}>
          <ShieldCheck aria-hidden />
          Verify log integrity
        </Button>
      )}
      {useMay('audit') && <ExportMenu />}
      <Dialog open={checking} onOpenChange={setChecking}>
        {checking && <VerifyLogDialog />}
      </Dialog>
    </>
  );
}

const FORMATS = [
  { format: 'ndjson', label: 'NDJSON, with the hashes' },
  { format: 'csv', label: 'CSV, for a spreadsheet' },
  { format: 'excel', label: 'CSV, for Excel' },
] as const;

/** Links that the browser saves as files. */
function ExportMenu() {
  const { filter } = useAuditView();
  const narrowed = Object.keys(filter).length > 0;
  usePageActions(
    FORMATS.map(({ format, label }) => ({
      label: `Export: ${label}`,
      // The reply is a download: the page stays.
      run: () => window.location.assign(auditFileHref(filter, format)),
    })),
  );
  return (
    <Menu>
      <MenuTrigger asChild>
        <Button>
          <Download aria-hidden />
          Export
        </Button>
      </MenuTrigger>
      <MenuContent className="w-64">
        <MenuLabel>
          {narrowed ? 'All events that match the filters' : 'All events'}, oldest first. Exporting is itself
          logged.
        </MenuLabel>
        {FORMATS.map(({ format, label }) => (
          <MenuItem key={format} asChild>
            <a href={auditFileHref(filter, format)} download>
              <Download aria-hidden />
              {label}
            </a>
          </MenuItem>
        ))}
      </MenuContent>
    </Menu>
  );
}
