'use client';
import { Download, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Menu, MenuContent, MenuItem, MenuLabel, MenuTrigger } from '@/components/ui/dropdown-menu';
import { DataAge } from '@/components/ui/relative-time';
import { useMay } from '@/lib/client/permissions';
import { auditFileHref, useAuditPage, useSeesWholeLog } from '@/lib/client/use-audit';
import { CheckDialog } from './check-dialog';
import { useAuditView } from './use-audit-view';

/** It is never stale: it holds still on purpose, and says how many came since. */
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
          Check the chain
        </Button>
      )}
      {useMay('audit') && <ExportMenu />}
      <Dialog open={checking} onOpenChange={setChecking}>
        {checking && <CheckDialog />}
      </Dialog>
    </>
  );
}

/** Downloads, not pages: the browser keeps the page and saves the file. */
function ExportMenu() {
  const { filter } = useAuditView();
  const narrowed = Object.keys(filter).length > 0;
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
          {narrowed ? 'All entries that match the filters' : 'All entries'}, oldest first. That you took them
          along is an entry itself.
        </MenuLabel>
        <MenuItem asChild>
          <a href={auditFileHref(filter, 'ndjson')} download>
            <Download aria-hidden />
            NDJSON, with the hashes
          </a>
        </MenuItem>
        <MenuItem asChild>
          <a href={auditFileHref(filter, 'csv')} download>
            <Download aria-hidden />
            CSV, for a spreadsheet
          </a>
        </MenuItem>
      </MenuContent>
    </Menu>
  );
}
