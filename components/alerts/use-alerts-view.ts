'use client';
import { urlOneOf, urlText, useUrlState, withFallback } from '@/components/shared/url-state';
import { forgetFilled } from '@/lib/browser/forget-filled';

const TABS = ['now', 'ended', 'channels'] as const;
const DIALOGS = [
  'acknowledge',
  'silence',
  'unsilence',
  'test',
  'new-channel',
  'change-channel',
  'remove-channel',
] as const;
export type AlertDialog = (typeof DIALOGS)[number];

const PARSERS = {
  tab: withFallback(urlOneOf(TABS), 'now'),
  cursor: urlText,
  /** Deliveries of one alert only. */
  alert: urlText,
  dialog: urlOneOf(DIALOGS),
  /** What the dialog is about: an alert, a silence or a channel. */
  of: urlText,
};

/** The view held by the URL, so that each tab and each dialog has a link. */
export function useAlertsView() {
  const [view, set] = useUrlState(PARSERS, 'push');
  const ask = (dialog: AlertDialog | null, of: string | null) => {
    forgetFilled();
    set({ dialog, of }, 'replace');
  };
  return {
    ...view,
    setCursor: (cursor: string | null) => set({ cursor }),
    showAllDeliveries: () => set({ alert: null, cursor: null }),
    open: (dialog: AlertDialog, of: string | null = null) => ask(dialog, of),
    close: () => ask(null, null),
  };
}
