'use client';
import Link from 'next/link';
import { useDialog } from '@/components/shared/use-dialog';
import { IconButton } from '@/components/ui/controls/icon-button';
import { Ban, Ellipsis, ScrollText, ShieldCheck, UserRoundCog } from '@/components/ui/icons';
import { lazyPart } from '@/components/ui/lazy-part';
import {
  Menu,
  MenuContent,
  MenuItem,
  MenuSeparator,
  MenuTrigger,
} from '@/components/ui/overlays/dropdown-menu';
import { useMe } from '@/lib/browser/access/use-me';
import { links } from '@/lib/browser/links';
import { useSeesWholeLog } from '@/lib/browser/use-audit';
import type { UserView } from '@/lib/contract/access/access-schemas';
import { revealHidden } from '@/lib/format/display-text';

const DisableDialog = lazyPart(() => import('./user-change-dialogs').then((module) => module.DisableDialog));
const GrantsDialog = lazyPart(() => import('./user-change-dialogs').then((module) => module.GrantsDialog));

const DIALOGS = ['grants', 'disable'] as const;

/** What an administrator can do to a user. */
export function UserActions({ user }: { user: UserView }) {
  const self = useMe().data?.id === user.id;
  const log = useSeesWholeLog();
  const { id, grantsFrom, disabled, removed } = user;
  const name = revealHidden(user.name);
  const missing = self
    ? 'You cannot change your own access. Ask another administrator.'
    : removed
      ? 'This user was removed. There is nothing to change.'
      : grantsFrom === 'fixed'
        ? 'Users of the one-time link always have full access.'
        : null;
  const [asked, setAsked] = useDialog(DIALOGS, () => missing === null, id);
  const close = () => setAsked(null);
  return (
    <span className="inline-flex items-center gap-0.5">
      <IconButton
        size="sm"
        label={`Change the roles of ${name}`}
        blocked={missing}
        onClick={() => setAsked('grants')}
      >
        <UserRoundCog aria-hidden />
      </IconButton>
      <Menu>
        <MenuTrigger asChild>
          <IconButton size="sm" label={`More actions for ${name}`} tooltip={false}>
            <Ellipsis aria-hidden />
          </IconButton>
        </MenuTrigger>
        <MenuContent>
          {disabled ? (
            <MenuItem blocked={missing} onSelect={() => setAsked('disable')}>
              <ShieldCheck aria-hidden />
              Enable…
            </MenuItem>
          ) : (
            <MenuItem destructive blocked={missing} onSelect={() => setAsked('disable')}>
              <Ban aria-hidden />
              Disable…
            </MenuItem>
          )}
          {log && (
            <>
              <MenuSeparator />
              <MenuItem asChild>
                <Link href={links.audit({ actor: id })}>
                  <ScrollText aria-hidden />
                  Actions by {name}
                </Link>
              </MenuItem>
              <MenuItem asChild>
                <Link href={links.audit({ kind: 'user', id })}>
                  <ScrollText aria-hidden />
                  Changes to {name}
                </Link>
              </MenuItem>
            </>
          )}
        </MenuContent>
      </Menu>
      {asked === 'grants' && <GrantsDialog person={user} onClose={close} />}
      {asked === 'disable' && <DisableDialog person={user} onClose={close} />}
    </span>
  );
}
