'use client';
import { Field } from '@/components/ui/controls/field';
import { PasswordInput } from '@/components/ui/controls/password-input';
import { Segmented } from '@/components/ui/controls/segmented';
import { Dialog, DialogContent } from '@/components/ui/overlays/dialog';
import { FormDialog } from '@/components/ui/overlays/form-dialog';
import { toast } from '@/components/ui/overlays/toast';
import { CodeBlock } from '@/components/ui/text/code-block';
import { useChangePassword } from '@/lib/browser/access/use-access';
import { useContractForm } from '@/lib/browser/api/use-contract-form';
import { PASSWORD_MAX_CHARS, PASSWORD_MIN_CHARS } from '@/lib/contract/access/access-limits';
import { type Me, passwordChangeSchema } from '@/lib/contract/access/access-schemas';
import { revealHidden } from '@/lib/format/display-text';
import { count } from '@/lib/format/plural';

const TOKENS = [
  { value: 'keep', label: 'Keep' },
  { value: 'end', label: 'Revoke' },
] as const;
type Tokens = (typeof TOKENS)[number]['value'];

/** Changes the own password; where the console cannot write the users file, shows the command for it. */
export function PasswordDialog({ me, onClose }: { me: Me; onClose: () => void }) {
  return me.passwordChange === 'here' ? (
    <ChangeForm me={me} onClose={onClose} />
  ) : (
    <ByCommand me={me} onClose={onClose} />
  );
}

function ByCommand({ me, onClose }: { me: Me; onClose: () => void }) {
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        size="sm"
        title="Change password"
        description="This console cannot write the users file. Ask the administrator of this console to run"
      >
        <CodeBlock text={`npm run user -- passwd "${revealHidden(me.name)}"`} label="The command" />
      </DialogContent>
    </Dialog>
  );
}

function ChangeForm({ me, onClose }: { me: Me; onClose: () => void }) {
  const { mutate, isPending, error } = useChangePassword();
  const form = useContractForm<
    { password: string; newPassword: string; tokens: Tokens | '' },
    typeof passwordChangeSchema
  >({
    schema: passwordChangeSchema,
    defaultValues: { password: '', newPassword: '', tokens: '' },
    toRequest: (values) => ({ ...values, tokens: values.tokens as Tokens }),
    error,
    onSubmit: (request) =>
      mutate(request, {
        onSuccess: ({ ended }) => {
          toast.success('Password changed', {
            description: `${count(ended.sessions, 'other session')} and ${count(ended.tokens, 'API token')} ended.`,
          });
          onClose();
        },
      }),
  });
  const wrongPassword = error?.code === 'SIGN_IN_FAILED';
  return (
    <FormDialog
      title="Change password"
      description="Signs you out everywhere else. You stay signed in here."
      submitLabel="Change password"
      disabled={form.watch(['password', 'newPassword', 'tokens']).includes('')}
      pending={isPending}
      error={wrongPassword ? null : form.error}
      onSubmit={form.submit}
      onClose={onClose}
    >
      {/* Tells password managers the user. */}
      <input type="text" name="username" autoComplete="username" value={me.name} readOnly hidden />
      <Field label="Current password" error={wrongPassword ? error.detail : form.problem('password')}>
        {(control) => (
          <PasswordInput
            {...control}
            {...form.register('password')}
            autoComplete="current-password"
            autoFocus
            maxLength={PASSWORD_MAX_CHARS}
          />
        )}
      </Field>
      <Field
        label="New password"
        hint={`At least ${PASSWORD_MIN_CHARS} characters. Several unrelated words are easy to remember and hard to guess.`}
        error={form.problem('newPassword')}
      >
        {(control) => (
          <PasswordInput
            {...control}
            {...form.register('newPassword')}
            autoComplete="new-password"
            maxLength={PASSWORD_MAX_CHARS}
          />
        )}
      </Field>
      <div className="flex flex-col items-start gap-1">
        <p className="font-medium text-fg text-xs">Your API tokens</p>
        <Segmented
          label="Your API tokens"
          value={form.watch('tokens')}
          options={TOKENS}
          onChange={(tokens) => form.setValue('tokens', tokens)}
        />
        <p className="text-faint text-xs">
          Revoke them if someone else may know the old password: they could have created a token.
        </p>
      </div>
    </FormDialog>
  );
}
