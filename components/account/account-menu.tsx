'use client';
import type { Route } from 'next';
import Link from 'next/link';
import { useEffect, useState } from 'react';
import { useDialog } from '@/components/shared/use-dialog';
import { Button } from '@/components/ui/controls/button';
import {
  Clock,
  type Icon,
  KeyRound,
  LockKeyhole,
  LogOut,
  MonitorSmartphone,
  PencilLine,
  ScrollText,
  UserRound,
} from '@/components/ui/icons';
import { lazyPart } from '@/components/ui/lazy-part';
import {
  Menu,
  MenuContent,
  MenuItem,
  MenuLabel,
  MenuSeparator,
  MenuTrigger,
} from '@/components/ui/overlays/dropdown-menu';
import { Dialog } from '@/components/ui/overlays/lazy-dialogs';
import { toast } from '@/components/ui/overlays/toast';
import { useMe } from '@/lib/browser/access/use-me';
import { useSignOut } from '@/lib/browser/access/use-sign-out';
import { links } from '@/lib/browser/links';
import { describeGrants, methodLabel } from '@/lib/contract/access/access-labels';

const PasswordDialog = lazyPart(() => import('./password-dialog').then((module) => module.PasswordDialog));
const RenameDialog = lazyPart(() => import('./rename-dialog').then((module) => module.RenameDialog));
const SessionsDialog = lazyPart(() => import('./sessions-dialog').then((module) => module.SessionsDialog));
const TimeZoneDialog = lazyPart(() => import('./time-zone-dialog').then((module) => module.TimeZoneDialog));

/** The others change only this browser, or send a password. */
const DIALOGS = ['sessions'] as const;

/** A page that does not fit in the bottom bar of a phone. */
interface MenuPage {
  readonly href: string;
  readonly label: string;
  readonly Icon: Icon;
}

/** The user's name, sign-in method and roles, and what they can change. */
export function AccountMenu({ pages }: { pages: readonly MenuPage[] }) {
  const me = useMe().data;
  const [open, setOpen] = useState<'rename' | 'password' | 'time-zone' | null>(null);
  const hasSessions = me !== undefined && me.method !== 'none';
  const [sessions, setSessions] = useDialog(DIALOGS, () => hasSessions);
  // Unknown while Redis is unreachable.
  const name = me?.name ?? '–';
  const label = me ? `You are ${name}` : 'Your user name is not known yet';
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
                <span className="block">
                  {me.method === 'none'
                    ? 'This console has no sign-in'
                    : `Signed in with ${methodLabel(me.method)}`}
                </span>
                <span className="block">Role: {describeGrants(me.grants)}</span>
              </>
            )}
          </MenuLabel>
          {me && <MenuSeparator />}
          {me?.method === 'none' && (
            <MenuItem onSelect={() => setOpen('rename')}>
              <PencilLine aria-hidden />
              Set your name…
            </MenuItem>
          )}
          {pages.map(({ href, label: page, Icon }) => (
            <MenuItem key={href} asChild className="md:hidden">
              <Link href={href as Route}>
                <Icon aria-hidden />
                {page}
              </Link>
            </MenuItem>
          ))}
          <MenuItem onSelect={() => setOpen('time-zone')}>
            <Clock aria-hidden />
            Time zone…
          </MenuItem>
          <MenuItem asChild>
            <Link href={links.apiReference()}>
              <ScrollText aria-hidden />
              API reference
            </Link>
          </MenuItem>
          {hasSessions && (
            <>
              <MenuItem onSelect={() => setSessions('sessions')}>
                <MonitorSmartphone aria-hidden />
                Sessions…
              </MenuItem>
              <MenuItem asChild>
                <Link href={links.access()}>
                  <KeyRound aria-hidden />
                  API tokens…
                </Link>
              </MenuItem>
              {me.method === 'local' && (
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
      {open === 'rename' && <RenameDialog name={me?.chosen ? name : ''} onClose={close} />}
      <Dialog open={sessions !== null} onOpenChange={() => setSessions(null)}>
        {sessions && <SessionsDialog />}
      </Dialog>
      {open === 'time-zone' && <TimeZoneDialog onClose={close} />}
      {open === 'password' && me && <PasswordDialog me={me} onClose={close} />}
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
          // The menu stays open until the next page loads.
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
