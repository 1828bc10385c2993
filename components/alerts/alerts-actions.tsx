'use client';
import { Button } from '@/components/ui/controls/button';
import { BellOff, BellRing } from '@/components/ui/icons';
import { toast } from '@/components/ui/overlays/toast';
import { useMay } from '@/lib/browser/access/use-permissions';
import { setNotifications, useNotificationsOn } from '@/lib/browser/alerts/notification-choice';
import { askForNotifications, showNotification } from '@/lib/browser/alerts/show-notification';
import { useAlertsView } from './use-alerts-view';

/** For the header: notifications of this browser, and a silence. */
export function AlertsActions() {
  const { open } = useAlertsView();
  const mayOperate = useMay('operate');
  return (
    <>
      <NotifyButton />
      {mayOperate && (
        <Button onClick={() => open('silence')}>
          <BellOff aria-hidden />
          New silence
        </Button>
      )}
    </>
  );
}

function NotifyButton() {
  const on = useNotificationsOn();
  const turnOff = () => {
    setNotifications(false);
    toast.success('Notifications of this browser are off');
  };
  return (
    <Button onClick={on ? turnOff : () => void turnOn()}>
      {on ? <BellOff aria-hidden /> : <BellRing aria-hidden />}
      {on ? 'Stop browser notifications' : 'Notify in this browser'}
    </Button>
  );
}

/** Asks the browser, and shows at once what a notification looks like. */
async function turnOn(): Promise<void> {
  const fail = (description: string) => toast.error('Notifications stay off', { description });
  const answer = await askForNotifications();
  if (answer === 'absent') return fail('This browser shows none here. They need HTTPS, or localhost.');
  if (answer === 'refused')
    return fail('The browser does not allow them. Allow notifications for this site in its settings.');
  const notice = {
    tag: 'redrive-notifications',
    title: 'Notifications are on',
    body: 'Each new alert shows like this, while a tab of this console is open.',
  };
  if (showNotification(notice, () => undefined) === null)
    return fail('This browser shows none from a page. On a phone, configure a channel instead.');
  if (!setNotifications(true))
    return fail('This browser keeps no choice. Allow storage for this site in its settings.');
}
