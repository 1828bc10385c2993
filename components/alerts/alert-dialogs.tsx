'use client';
import { useState } from 'react';
import { ConfirmWrite } from '@/components/shared/confirm-write';
import { toast } from '@/components/ui/overlays/toast';
import {
  useAcknowledgeAlert,
  useRemoveChannel,
  useRemoveSilence,
  useTestChannel,
} from '@/lib/browser/alerts/use-alert-actions';
import type { Alert, Alerts, Channel, Silence } from '@/lib/contract/alerts/alert-schemas';
import { revealHidden } from '@/lib/format/display-text';
import { ChannelDialog } from './channel-dialog';
import { codeLabel, KIND_LABELS, silenceLabel } from './labels';
import { SilenceDialog } from './silence-dialog';
import { useAlertsView } from './use-alerts-view';

/**
 * The dialog that the URL names. What it is about is kept as it was when it opened: an alert that ends meanwhile must not take the
 * dialog away from under a hand.
 */
export function AlertDialogs({ alerts }: { alerts: Alerts }) {
  const { dialog, of, close } = useAlertsView();
  const [{ live, silences, channels, rules }] = useState(alerts);
  const idOf = ({ id }: { id: string }) => id === of;
  const alert = live.find(idOf);
  if (dialog === 'acknowledge') return alert ? <AcknowledgeDialog alert={alert} onClose={close} /> : null;
  if (dialog === 'silence') return <SilenceDialog alert={alert} rules={rules} onClose={close} />;
  if (dialog === 'unsilence') {
    const silence = silences.find(idOf);
    return silence ? <UnsilenceDialog silence={silence} onClose={close} /> : null;
  }
  if (dialog === 'new-channel') return <ChannelDialog channel={undefined} onClose={close} />;
  const channel = channels.find(({ name }) => name === of);
  if (dialog === 'change-channel' || dialog === 'remove-channel') {
    if (channel?.source !== 'console') return null;
    const Dialog = dialog === 'change-channel' ? ChannelDialog : RemoveChannelDialog;
    return <Dialog channel={channel} onClose={close} />;
  }
  return channel ? <TestDialog channel={channel} onClose={close} /> : null;
}

function AcknowledgeDialog({ alert, onClose }: { alert: Alert; onClose: () => void }) {
  const { id, code, sentence } = alert;
  return (
    <ConfirmWrite
      title={`Acknowledge ${code}?`}
      description="Tells all channels that you take care. The alert stays here until its cause is gone."
      facts={[{ label: codeLabel(code), value: revealHidden(sentence) }]}
      confirmLabel="Acknowledge"
      reason="optional"
      write={useAcknowledgeAlert()}
      input={(note) => ({ id, note: note || undefined })}
      onDone={() => toast.success('Acknowledged', { description: code })}
      onClose={onClose}
    />
  );
}

function UnsilenceDialog({ silence, onClose }: { silence: Silence; onClose: () => void }) {
  const { id, actor, reason } = silence;
  return (
    <ConfirmWrite
      title="Remove this silence?"
      description="Alerts that it kept back are sent if they still stand."
      facts={[
        { label: 'Silenced', value: silenceLabel(silence) },
        { label: 'By', value: revealHidden(actor) },
        { label: 'Reason', value: revealHidden(reason) },
      ]}
      confirmLabel="Remove silence"
      write={useRemoveSilence()}
      input={() => ({ id })}
      onDone={() => toast.success('Silence removed', { description: silenceLabel(silence) })}
      onClose={onClose}
    />
  );
}

function RemoveChannelDialog({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  const { name, kind, target } = channel;
  return (
    <ConfirmWrite
      title={`Remove ${name}?`}
      description="No alert is sent to it any more, and its addresses and keys are deleted. This cannot be undone."
      facts={[
        { label: 'Kind', value: KIND_LABELS[kind] },
        { label: 'Target', value: revealHidden(target) },
      ]}
      confirmLabel="Remove channel"
      reason="optional"
      destructive
      write={useRemoveChannel()}
      input={(reason) => ({ name, reason: reason || undefined })}
      onDone={() => toast.success('Channel removed', { description: name })}
      onClose={onClose}
    />
  );
}

function TestDialog({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  const { name, kind, target } = channel;
  return (
    <ConfirmWrite
      title={`Test ${name}?`}
      description="Sends a message that says it is a test, and tells how that went."
      facts={[
        { label: 'Kind', value: KIND_LABELS[kind] },
        { label: 'Target', value: revealHidden(target) },
      ]}
      confirmLabel="Send test message"
      write={useTestChannel()}
      input={() => ({ name })}
      onDone={({ state, error }) =>
        state === 'sent'
          ? toast.success('Test message sent', { description: name })
          : toast.error('The test message was not sent', { description: error ?? name })
      }
      onClose={onClose}
    />
  );
}
