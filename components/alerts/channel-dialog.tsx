'use client';
import { CopyRequest } from '@/components/shared/requests/copy-request';
import { useFilled } from '@/components/shared/requests/use-filled';
import { Field, TextField } from '@/components/ui/controls/field';
import { Segmented } from '@/components/ui/controls/segmented';
import { Select } from '@/components/ui/controls/select';
import { FormDialog } from '@/components/ui/overlays/form-dialog';
import { toast } from '@/components/ui/overlays/toast';
import { useSaveChannel } from '@/lib/browser/alerts/use-alert-actions';
import { useContractForm } from '@/lib/browser/api/use-contract-form';
import { CHANNEL_KINDS } from '@/lib/contract/alerts/alert-limits';
import type { Channel } from '@/lib/contract/alerts/alert-schemas';
import { channelPatchSchema, channelRequestSchema } from '@/lib/contract/alerts/channel-settings';
import {
  type ChannelForm,
  emptyChannelForm,
  KIND_FIELDS,
  toChannelPatch,
  toChannelRequest,
  withoutSecrets,
} from './channel-form';
import { KIND_LABELS } from './labels';

/** Makes a channel, or changes one that was made here. Secrets are only written: an empty field of a change keeps the stored secret. */
export function ChannelDialog({ channel, onClose }: { channel: Channel | undefined; onClose: () => void }) {
  const { mutate, isPending, error, requestOf } = useSaveChannel(channel?.name ?? null);
  const toRequest = channel ? toChannelPatch : toChannelRequest;
  const form = useContractForm({
    schema: channel ? channelPatchSchema : channelRequestSchema,
    defaultValues: useFilled(emptyChannelForm(channel), ({ kind }) => CHANNEL_KINDS.includes(kind)),
    toRequest,
    error,
    onSubmit: (request) =>
      mutate(request, {
        onSuccess: ({ name }) => {
          toast.success(channel ? 'Channel changed' : 'Channel made', { description: name });
          onClose();
        },
      }),
  });
  const [kind, levels] = form.watch(['kind', 'levels']);
  const has = (field: keyof ChannelForm) => KIND_FIELDS[kind].includes(field);
  const secret = (field: 'url' | 'secret' | 'routingKey' | 'smtp', hint: string) => ({
    ...form.field(field),
    hint: channel ? `${hint} Leave it empty to keep the stored value.` : hint,
    autoComplete: 'off',
    spellCheck: false,
  });
  return (
    <FormDialog
      title={channel ? `Change channel ${channel.name}` : 'New channel'}
      description="Addresses and keys are written only: no user can read them here again."
      submitLabel={channel ? 'Change channel' : 'Make channel'}
      pending={isPending}
      error={form.error}
      secondary={
        <CopyRequest
          request={() => requestOf(toRequest(withoutSecrets(form.values(), 'name')))}
          filled={() => ({ ...withoutSecrets(form.values(), 'empty') })}
        />
      }
      onSubmit={form.submit}
      onClose={onClose}
    >
      {!channel && (
        <>
          <TextField label="Name" {...form.field('name')} autoFocus maxLength={100} placeholder="on-call" />
          <Field label="Kind" error={form.problem('kind')}>
            {(control) => (
              <Select
                {...control}
                {...form.register('kind')}
                options={CHANNEL_KINDS.map((value) => ({ value, label: KIND_LABELS[value] }))}
              />
            )}
          </Field>
        </>
      )}
      {has('routingKey') && (
        <TextField
          label="Integration key"
          type="password"
          {...secret('routingKey', 'Of an Events API v2 integration.')}
        />
      )}
      {has('url') && (
        <TextField
          label="Address"
          {...secret(
            'url',
            URL_HINTS[kind] ?? 'A private address must be in allowedHosts of REDRIVE_ALERTS.',
          )}
          placeholder={kind === 'pagerduty' ? 'https://events.pagerduty.com/v2/enqueue' : 'https://…'}
        />
      )}
      {has('secret') && (
        <TextField
          label="Signing secret"
          type="password"
          {...secret('secret', 'A random text of 16 characters or more, which the receiver knows, too.')}
        />
      )}
      {has('smtp') && (
        <TextField
          label="Mail server"
          {...secret('smtp', 'With user and password, if it asks for them.')}
          placeholder="smtps://user:password@mail.example.com:465"
        />
      )}
      {has('from') && <TextField label="From" {...form.field('from')} placeholder="redrive@example.com" />}
      {has('to') && (
        <TextField
          label="To"
          hint="At most 20, with commas."
          {...form.field('to')}
          placeholder="oncall@example.com"
        />
      )}
      {has('everySeconds') && (
        <TextField label="Every (s)" {...form.field('everySeconds')} className="w-28" inputMode="numeric" />
      )}
      {has('levels') && (
        <>
          <div className="space-y-1">
            <p className="font-medium text-xs">Told of</p>
            <Segmented
              label="Told of"
              value={levels}
              options={LEVELS}
              onChange={(value) => form.setValue('levels', value)}
            />
          </div>
          <TextField
            label="Findings (empty: all)"
            hint="Codes with commas."
            {...form.field('codes')}
            placeholder="FAILING, NO_WORKERS"
          />
          <TextField
            label="Queues (empty: all)"
            hint="Names, or beginnings followed by *, with commas."
            {...form.field('queues')}
            placeholder="billing*"
          />
        </>
      )}
      <TextField label="Reason (optional)" {...form.field('reason')} maxLength={300} />
    </FormDialog>
  );
}

const URL_HINTS: Readonly<Partial<Record<ChannelForm['kind'], string>>> = {
  slack: 'Of an incoming webhook.',
  teams: 'Of a workflow that begins when a Teams webhook request is received.',
  pagerduty: 'Only for another region, such as the EU.',
  heartbeat: 'It is called while all is well.',
};

const LEVELS = [
  { value: 'both', label: 'Both' },
  { value: 'bad', label: 'Problems' },
  { value: 'warn', label: 'Warnings' },
] as const;
