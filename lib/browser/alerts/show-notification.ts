/** Notifications of the browser, for alerts. */
import type { AlertNotice } from './alert-notices';

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
