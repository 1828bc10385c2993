'use client';
import { AlertDialog as A } from 'radix-ui';
import { useId, useState } from 'react';
import { Callout } from '../callout';
import { cn } from '../cn';
import { Button } from '../controls/button';
import { Field } from '../controls/field';
import { Input } from '../controls/input';
import { KeyValue, type KeyValueItem } from '../key-value';
import { overlayStyles, surfaceStyles } from './dialog';

export type ConfirmDialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** One sentence on what happens and whether it can be undone. */
  description?: React.ReactNode;
  /** What it will do, in numbers. */
  facts?: readonly KeyValueItem[];
  children?: React.ReactNode;
  confirmLabel: string;
  destructive?: boolean;
  /** Must be typed, letter for letter, before the button works. */
  requireText?: string;
  reason?: 'none' | 'optional' | 'required';
  /** What the field of the reason begins with. */
  firstReason?: string;
  pending?: boolean;
  /** The server's sentence when it refused. */
  error?: string | null;
  /** At the start of the footer, for the answer so far. */
  tools?: (answer: { reason: string }) => React.ReactNode;
  /** Called with the trimmed reason, empty without one. The caller closes the dialog. */
  onConfirm: (answer: { reason: string }) => void;
};

/** Asks before something that matters. Typed text and reason are forgotten each time it closes. */
export function ConfirmDialog({ open, onOpenChange, ...props }: ConfirmDialogProps) {
  return (
    <A.Root open={open} onOpenChange={onOpenChange}>
      <A.Portal>
        <A.Overlay className={overlayStyles} />
        <A.Content
          {...(props.description ? {} : { 'aria-describedby': undefined })}
          className={cn(surfaceStyles, 'sm:max-w-md')}
        >
          <Body {...props} />
        </A.Content>
      </A.Portal>
    </A.Root>
  );
}

function Body(props: Omit<ConfirmDialogProps, 'open' | 'onOpenChange'>) {
  const { requireText, reason = 'none', pending, destructive } = props;
  const [typed, setTyped] = useState('');
  const [why, setWhy] = useState(props.firstReason ?? '');
  const formId = useId();
  const blocked =
    (requireText !== undefined && typed !== requireText) || (reason === 'required' && why.trim() === '');
  return (
    <>
      <div className="min-h-0 flex-1 space-y-3 overflow-y-auto px-4 py-3">
        <div>
          <A.Title className="font-semibold text-base">{props.title}</A.Title>
          {props.description && (
            <A.Description className="mt-1 text-muted text-sm">{props.description}</A.Description>
          )}
        </div>
        {props.facts && (
          <KeyValue items={props.facts} className="rounded border border-line bg-canvas px-3 py-2" />
        )}
        {props.children}
        <form
          id={formId}
          className="space-y-3 empty:hidden"
          onSubmit={(e) => {
            e.preventDefault();
            if (!blocked && !pending) props.onConfirm({ reason: why.trim() });
          }}
        >
          {reason !== 'none' && (
            <Field label={reason === 'required' ? 'Reason' : 'Reason (optional)'}>
              {(c) => (
                <Input
                  {...c}
                  value={why}
                  maxLength={300}
                  required={reason === 'required'}
                  onChange={(e) => setWhy(e.target.value)}
                />
              )}
            </Field>
          )}
          {requireText !== undefined && (
            <Field
              label={
                <>
                  Type{' '}
                  <code translate="no" className="rounded-sm bg-hover px-1 font-mono">
                    {requireText}
                  </code>{' '}
                  to confirm
                </>
              }
            >
              {(c) => (
                <Input
                  {...c}
                  className="font-mono"
                  value={typed}
                  onChange={(e) => setTyped(e.target.value)}
                />
              )}
            </Field>
          )}
        </form>
        {props.error && <Callout tone="bad">{props.error}</Callout>}
      </div>
      <footer className="flex flex-wrap justify-end gap-2 border-line border-t px-4 py-3">
        {props.tools?.({ reason: why.trim() })}
        <A.Cancel asChild>
          <Button>{pending ? 'Close' : 'Cancel'}</Button>
        </A.Cancel>
        <Button
          type="submit"
          form={formId}
          variant={destructive ? 'danger' : 'primary'}
          disabled={blocked}
          pending={pending}
        >
          {props.confirmLabel}
        </Button>
      </footer>
    </>
  );
}
