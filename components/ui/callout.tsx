import { CircleAlert, CircleCheck, Info, TriangleAlert } from '@/components/ui/icons';
import { cn } from './cn';
import { toneText } from './tone';

const looks = {
  info: { Icon: Info, text: toneText.accent, box: 'border-accent/35 bg-soft-info', word: 'Note' },
  good: { Icon: CircleCheck, text: toneText.good, box: 'border-good/35 bg-soft-good', word: 'Done' },
  warn: { Icon: TriangleAlert, text: toneText.warn, box: 'border-warn/35 bg-soft-warn', word: 'Warning' },
  bad: { Icon: CircleAlert, text: toneText.bad, box: 'border-bad/35 bg-soft-bad', word: 'Problem' },
} as const;

type NoticeProps = {
  tone?: keyof typeof looks;
  title?: React.ReactNode;
  children?: React.ReactNode;
  /** A button or link at the end. */
  action?: React.ReactNode;
};

function Notice({
  tone = 'info',
  title,
  children,
  action,
  role,
  className,
}: NoticeProps & { role: string; className: string }) {
  const { Icon, text, box, word } = looks[tone];
  return (
    <div role={role} className={cn('flex items-start gap-2 text-sm', box, className)}>
      <Icon aria-hidden className={cn('mt-0.5 size-4 shrink-0', text)} />
      <span className="sr-only">{word}: </span>
      <div className="min-w-0 flex-1 break-words text-fg">
        {title && <span className="mr-2 font-medium">{title}</span>}
        <span className={cn(title && 'text-muted')}>{children}</span>
      </div>
      {action && <div className="-my-0.5 flex shrink-0 gap-2">{action}</div>}
    </div>
  );
}

/** A notice inside a page. `bad` is announced at once; the others wait their turn. */
export function Callout({ className, ...props }: NoticeProps & { className?: string }) {
  return (
    <Notice
      {...props}
      role={props.tone === 'bad' ? 'alert' : 'note'}
      className={cn('rounded border px-3 py-2', className)}
    />
  );
}

/** The same across the whole page, for the shell's `banner` slot. */
export function Banner(props: NoticeProps) {
  return (
    <Notice {...props} role={props.tone === 'bad' ? 'alert' : 'status'} className="border-b px-4 py-1.5" />
  );
}
