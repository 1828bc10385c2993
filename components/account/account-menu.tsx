'use client';
import {
  KeyRound,
  LockKeyhole,
  LogOut,
  MonitorSmartphone,
  PencilLine,
  ScrollText,
  UserRound,
  UsersRound,
} from 'lucide-react';
import type { Route } from 'next';
import Link from 'next/link';
import { useEffect, useState } from 'react';
import { toast } from 'sonner';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import {
  Menu,
  MenuContent,
  MenuItem,
  MenuLabel,
  MenuSeparator,
  MenuTrigger,
} from '@/components/ui/dropdown-menu';
import { links } from '@/lib/client/links';
import { useMay } from '@/lib/client/permissions';
import { useMe } from '@/lib/client/use-me';
import { useSignOut } from '@/lib/client/use-sign-out';
import { PasswordDialog } from './password-dialog';
import { Rename } from './rename-dialog';
import { SessionsDialog } from './sessions-dialog';
import { rolesWords, wayWords } from './words';

/** Who one is here, how one came in, and what can be done about it. */
export function AccountMenu() {
  const me = useMe().data;
  const [open, setOpen] = useState<'rename' | 'sessions' | 'password' | null>(null);
  // While Redis is away nobody can say who looks at the page.
  const name = me?.name ?? '–';
  const label = me ? `You are ${name}` : 'It is not known yet who you are';
  const close = () => setOpen(null);
  return (
    <>
      <Menu>
        <MenuTrigger asChild>
          <Button variant="ghost" className="max-w-44 px-1.5" aria-label={label} title={label}>
            <UserRound aria-hidden />
            <span className="min-w-0 truncate max-md:hidden">{name}</span>
          </Button>
        </MenuTrigger>
        <MenuContent className="w-64">
          <MenuLabel className="py-1.5">
            <span className="block truncate font-medium text-fg text-sm">{me ? name : label}</span>
            {me && (
              <>
                <span className="block">{wayWords(me)}</span>
                <span className="block">Role: {rolesWords(me.grants)}</span>
              </>
            )}
          </MenuLabel>
          {me && <MenuSeparator />}
          {me?.way === 'none' && (
            <MenuItem onSelect={() => setOpen('rename')}>
              <PencilLine aria-hidden />
              Say who you are…
            </MenuItem>
          )}
          <Pages />
          {me && me.way !== 'none' && (
            <>
              <MenuItem onSelect={() => setOpen('sessions')}>
                <MonitorSmartphone aria-hidden />
                Sessions…
              </MenuItem>
              <MenuItem asChild>
                <Link href={links.access() as Route}>
                  <KeyRound aria-hidden />
                  API tokens…
                </Link>
              </MenuItem>
              {me.way === 'local' && (
                <MenuItem onSelect={() => setOpen('password')}>
                  <LockKeyhole aria-hidden />
                  Change password…
                </MenuItem>
              )}
              <SignOutItem />
            </>
          )}
        </MenuContent>
      </Menu>
      <Dialog open={open === 'rename'} onOpenChange={close}>
        {open === 'rename' && <Rename name={me?.chosen ? name : ''} onClose={close} />}
      </Dialog>
      <Dialog open={open === 'sessions'} onOpenChange={close}>
        {open === 'sessions' && <SessionsDialog />}
      </Dialog>
      <Dialog open={open === 'password'} onOpenChange={close}>
        {open === 'password' && me && <PasswordDialog me={me} onClose={close} />}
      </Dialog>
    </>
  );
}

/** The bar at the bottom of a phone has no room for these. */
function Pages() {
  const [access, audit] = [useMay('access'), useMay('audit')];
  return (
    <>
      {access && (
        <MenuItem asChild className="md:hidden">
          <Link href={links.access() as Route}>
            <UsersRound aria-hidden />
            Access
          </Link>
        </MenuItem>
      )}
      {audit && (
        <MenuItem asChild className="md:hidden">
          <Link href={links.audit() as Route}>
            <ScrollText aria-hidden />
            Audit log
          </Link>
        </MenuItem>
      )}
    </>
  );
}

function SignOutItem() {
  const { leave, pending, problem } = useSignOut();
  useEffect(() => {
    if (problem) toast.error('Not signed out', { description: problem });
  }, [problem]);
  return (
    <>
      <MenuSeparator />
      <MenuItem
        disabled={pending}
        onSelect={(event) => {
          // The menu stays until the page is gone.
          event.preventDefault();
          leave();
        }}
      >
        <LogOut aria-hidden />
        {pending ? 'Signing out…' : 'Sign out'}
      </MenuItem>
    </>
  );
}
