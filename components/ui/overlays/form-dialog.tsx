'use client';
import { type ReactNode, useId } from 'react';
import { Callout } from '../callout';
import { cn } from '../cn';
import { Button } from '../controls/button';
import { Dialog, DialogContent } from './dialog';

interface FormDialogProps {
  title: ReactNode;
  description?: ReactNode;
  size?: React.ComponentProps<typeof DialogContent>['size'];
  submitLabel: ReactNode;
  /** The form cannot be sent as it is. */
  disabled?: boolean;
  /** It is being sent: a second press does nothing. */
  pending?: boolean;
  /** An error of the whole form; a field shows its own. */
  error?: ReactNode;
  /** Other actions, at the start of the footer. */
  secondary?: ReactNode;
  /** Classes of the form, for its grid. */
  className?: string;
  onSubmit: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** A form in a dialog: its buttons in the footer, its error below its fields. Mount it to open it. */
export function FormDialog({
  title,
  description,
  size = 'sm',
  submitLabel,
  disabled,
  pending,
  error,
  secondary,
  className,
  onSubmit,
  onClose,
  children,
}: FormDialogProps) {
  const form = useId();
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title={title}
        description={description}
        size={size}
        footer={
          <>
            {secondary && <div className="mr-auto">{secondary}</div>}
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" form={form} variant="primary" disabled={disabled} pending={pending}>
              {submitLabel}
            </Button>
          </>
        }
      >
        <form
          id={form}
          noValidate
          className={cn('grid gap-3', className)}
          onSubmit={(event) => {
            event.preventDefault();
            // Enter in a field submits even while the button is disabled.
            if (!disabled && !pending) onSubmit();
          }}
        >
          {children}
          {error && (
            <Callout tone="bad" className="col-span-full">
              {error}
            </Callout>
          )}
        </form>
      </DialogContent>
    </Dialog>
  );
}
