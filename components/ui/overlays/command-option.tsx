import type { MouseEvent, ReactNode } from 'react';
import { revealHidden } from '@/lib/format/display-text';
import { cn } from '../cn';

export interface CommandItem {
  readonly key: string;
  readonly label: string;
  /** What kind of thing it is, at the end of its line. */
  readonly kind: string;
  /** Behind the label, in small letters. */
  readonly detail?: ReactNode;
  readonly icon?: ReactNode;
  /** Where choosing it leads: its row is a link, which can be copied or opened in another tab. */
  readonly href?: string;
  /** Choosing it leaves the dialog open. */
  readonly stays?: boolean;
  readonly choose: () => void;
}
/** A row of a command dialog: a link if its item has an address. */
export function CommandOption({
  id,
  item: { label, kind, detail, icon, href },
  active,
  onActive,
  onClick,
}: {
  id: string;
  item: CommandItem;
  active: boolean;
  onActive: () => void;
  onClick: (event: MouseEvent) => void;
}) {
  const row = {
    id,
    role: 'option',
    tabIndex: -1,
    'aria-selected': active,
    onPointerMove: onActive,
    onClick,
    className: cn(
      'flex min-h-8 cursor-default items-center gap-2 rounded-sm px-2 py-1 text-sm max-sm:min-h-10 [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-faint',
      active && 'bg-hover ring-1 ring-line-strong ring-inset',
    ),
  } as const;
  const content = (
    <>
      {icon}
      <span className="min-w-0 max-w-[70%] shrink-0 truncate">{revealHidden(label)}</span>
      <span className="min-w-0 flex-1 truncate text-faint text-xs">
        {typeof detail === 'string' ? revealHidden(detail) : detail}
      </span>
      <span className="shrink-0 text-faint text-xs">{kind}</span>
    </>
  );
  if (href === undefined) return <div {...row}>{content}</div>;
  return (
    // The input keeps the focus, also after a click that opens another tab.
    <a {...row} href={href} onMouseDown={(event) => event.preventDefault()}>
      {content}
    </a>
  );
}
