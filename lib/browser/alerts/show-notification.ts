/** Notifications of the browser, for alerts. */
import type { AlertNotice } from './alert-notices';

const areThere = (): boolean => typeof Notification !== 'undefined';

/** In the settings of the browser. */
export const notificationsAllowed = (): boolean => areThere() && Notification.permission === 'granted';

/** Asks the user, if the browser has not yet. `absent`: it shows none at this address. */
export async function askForNotifications(): Promise<'granted' | 'refused' | 'absent'> {
  if (!areThere()) return 'absent';
  return (await Notification.requestPermission()) === 'granted' ? 'granted' : 'refused';
}

/** @returns null: this browser shows none from a page, as those of phones */
export function showNotification({ tag, title, body }: AlertNotice, onOpen: () => void): Notification | null {
  try {
    const notification = new Notification(title, { tag, body });
    notification.onclick = () => {
      window.focus();
      notification.close();
      onOpen();
    };
    return notification;
  } catch {
    return null;
  }
}
