'use client';
import { type ReactNode, useEffect, useState } from 'react';
import { Check, Copy, X } from '@/components/ui/icons';
import { copyText } from '@/lib/device/copy-text';
import { IconButton } from './icon-button';

/** Copies `text` and announces the result. */
export function CopyButton({
  text,
  label = 'Copy',
  icon = <Copy aria-hidden />,
  size = 'sm',
  className,
}: {
  /** A function: of the moment it is pressed. */
  text: string | (() => string);
  label?: string;
  icon?: ReactNode;
  size?: 'sm' | 'md';
  className?: string;
}) {
  const [outcome, setOutcome] = useState<'idle' | 'done' | 'failed'>('idle');
  useEffect(() => {
    if (outcome === 'idle') return;
    const timer = setTimeout(() => setOutcome('idle'), 1_600);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = () => {
    copyText(typeof text === 'string' ? text : text()).then(
      () => setOutcome('done'),
      () => setOutcome('failed'),
    );
  };
  const said = outcome === 'done' ? 'Copied' : outcome === 'failed' ? 'Could not copy' : '';
  return (
    <>
      <IconButton label={said || label} size={size} onClick={copy} className={className}>
        {outcome === 'done' ? (
          <Check aria-hidden className="text-good" />
        ) : outcome === 'failed' ? (
          <X aria-hidden className="text-bad" />
        ) : (
          icon
        )}
      </IconButton>
      <span role="status" className="sr-only">
        {said}
      </span>
    </>
  );
}
