'use client';
import { Ban, CircleCheck, Ellipsis, ScrollText, ShieldCheck, UserRoundCog } from 'lucide-react';
import type { Route } from 'next';
import Link from 'next/link';
import { useState } from 'react';
import { Badge } from '@/components/ui/badge';
import { Menu, MenuContent, MenuItem, MenuSeparator, MenuTrigger } from '@/components/ui/dropdown-menu';
import { IconButton } from '@/components/ui/icon-button';
import { Num } from '@/components/ui/number';
import { RelativeTime } from '@/components/ui/relative-time';
import { Td, Tr } from '@/components/ui/table';
import { links } from '@/lib/client/links';
import { useSeesWholeLog } from '@/lib/client/use-audit';
import { useMe } from '@/lib/client/use-me';
import type { PersonView } from '@/lib/contract/access';
import { visible } from '@/lib/format/text';
import { GrantsCell } from './grants-cell';
import { DisableDialog, EnableDialog, GrantsDialog } from './person-change-dialogs';
import { FROM_WORDS, wayWords } from './words';

export function PersonRow({ person }: { person: PersonView }) {
  const { id, name, way, groups, grants, grantsFrom, disabled, removed, lastSeenAt, sessions } = person;
  const self = useMe().data?.id === id;
  const shown = visible(name);
  return (
    <Tr>
      <Td truncate title={visible([id, ...groups.map((group) => `group ${group}`)].join('\n'), '\n')}>
        <span className="font-medium">{shown}</span>
        {self && <span className="text-faint"> you</span>}
      </Td>
      <Td className="text-muted">{wayWords(way)}</Td>
      <Td truncate>
        <GrantsCell grants={grants} />
      </Td>
      <Td className="text-muted" title={FROM_WORDS[grantsFrom].meaning}>
        {FROM_WORDS[grantsFrom].word}
      </Td>
      <Td>
        {removed ? (
          <Badge title="No user of this console any more: cannot sign in, and has no API token in force. A newcomer of that name is somebody else.">
            Removed
          </Badge>
        ) : disabled ? (
          <Badge tone="bad" icon={<Ban aria-hidden />} title={visible(`${disabled.by}: ${disabled.reason}`)}>
            Disabled
          </Badge>
        ) : (
          <span className="inline-flex items-center gap-1 align-middle text-muted">
            <CircleCheck aria-hidden className="size-3.5 text-good" />
            let in
          </span>
        )}
      </Td>
      <Td>
        {lastSeenAt === null ? (
          <span className="text-faint">never</span>
        ) : (
          <RelativeTime at={lastSeenAt} className="text-muted" />
        )}
      </Td>
      <Td numeric>
        <Num value={sessions} dim />
      </Td>
      <Td>
        <Actions person={person} self={self} />
      </Td>
    </Tr>
  );
}

type Asked = 'grants' | 'disable' | 'enable';

function Actions({ person, self }: { person: PersonView; self: boolean }) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const log = useSeesWholeLog();
  const close = () => setAsked(null);
  const { id, grantsFrom, disabled, removed } = person;
  const name = visible(person.name);
  const missing = self
    ? 'Somebody else has to change what you may do.'
    : removed
      ? 'This user was removed: there is nothing left to change.'
      : grantsFrom === 'fixed'
        ? 'Whoever uses the one-time link of this machine may do everything.'
        : null;
  return (
    <span className="inline-flex items-center gap-0.5">
      <IconButton
        size="sm"
        label={`Change what ${name} may do`}
        blocked={missing}
        onClick={() => setAsked('grants')}
      >
        <UserRoundCog aria-hidden />
      </IconButton>
      <Menu>
        <MenuTrigger asChild>
          <IconButton size="sm" label={`More about ${name}`} tooltip={false}>
            <Ellipsis aria-hidden />
          </IconButton>
        </MenuTrigger>
        <MenuContent>
          {disabled ? (
            <MenuItem blocked={missing} onSelect={() => setAsked('enable')}>
              <ShieldCheck aria-hidden />
              Let in again…
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
                <Link href={links.audit({ actor: id }) as Route}>
                  <ScrollText aria-hidden />
                  What {name} did
                </Link>
              </MenuItem>
              <MenuItem asChild>
                <Link href={links.audit({ kind: 'person', id }) as Route}>
                  <ScrollText aria-hidden />
                  What was changed about {name}
                </Link>
              </MenuItem>
            </>
          )}
        </MenuContent>
      </Menu>
      {asked === 'grants' && <GrantsDialog person={person} onClose={close} />}
      {asked === 'disable' && <DisableDialog person={person} onClose={close} />}
      {asked === 'enable' && <EnableDialog person={person} onClose={close} />}
    </span>
  );
}
