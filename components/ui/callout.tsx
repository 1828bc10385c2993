import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';
import { cn } from './cn';
import { toneText } from './tone';

export type CalloutTone = 'info' | 'good' | 'warn' | 'bad';

const looks = {
  info: { Icon: Info, text: toneText.accent, box: 'border-accent/35 bg-soft-info', word: 'Note' },
  good: { Icon: CircleCheck, text: toneText.good, box: 'border-good/35 bg-soft-good', word: 'Done' },
  warn: { Icon: TriangleAlert, text: toneText.warn, box: 'border-warn/35 bg-soft-warn', word: 'Warning' },
  bad: { Icon: CircleAlert, text: toneText.bad, box: 'border-bad/35 bg-soft-bad', word: 'Problem' },
} as const;

type Props = {
  tone?: CalloutTone;
  title?: React.ReactNode;
  children?: React.ReactNode;
  /** A button or link at the end. */
  action?: React.ReactNode;
  className?: string;
};

function Inner({ tone = 'info', title, children, action }: Props) {
  const { Icon, text, word } = looks[tone];
  return (
    <>
      <Icon aria-hidden className={cn('mt-0.5 size-4 shrink-0', text)} />
      <span className="sr-only">{word}: </span>
      <div className="min-w-0 flex-1 text-fg">
        {title && <span className="mr-2 font-medium">{title}</span>}
        <span className={cn(title && 'text-muted')}>{children}</span>
      </div>
      {action && <div className="-my-0.5 flex shrink-0 gap-2">{action}</div>}
    </>
  );
}

/** A notice inside a page. `bad` is announced at once; the others wait their turn. */
export function Callout(props: Props) {
  const tone = props.tone ?? 'info';
  return (
    <div
      data-slot="callout"
      role={tone === 'bad' ? 'alert' : 'note'}
      className={cn(
        'flex items-start gap-2 rounded border px-3 py-2 text-sm',
        looks[tone].box,
        props.className,
      )}
    >
      <Inner {...props} />
    </div>
  );
}

/** The same across the whole page, for the shell's `banner` slot. */
export function Banner(props: Props) {
  const tone = props.tone ?? 'warn';
  return (
    <div
      data-slot="banner"
      role={tone === 'bad' ? 'alert' : 'status'}
      className={cn(
        'flex items-start gap-2 border-0 border-b px-4 py-1.5 text-sm',
        looks[tone].box,
        props.className,
      )}
    >
      <Inner {...props} tone={tone} />
    </div>
  );
}
