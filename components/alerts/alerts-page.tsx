'use client';
import { LoadError } from '@/components/shared/load-error';
import { Callout } from '@/components/ui/callout';
import { BellRing, Clock, Zap } from '@/components/ui/icons';
import { lazyPart } from '@/components/ui/lazy-part';
import { NavTabs } from '@/components/ui/nav-tabs';
import { DataAge } from '@/components/ui/text/relative-time';
import { useDeliveries } from '@/lib/browser/alerts/use-alert-actions';
import { useAlerts } from '@/lib/browser/alerts/use-alerts';
import { links } from '@/lib/browser/links';
import type { Alerts } from '@/lib/contract/alerts/alert-schemas';
import { ChannelsPanel } from './channels-panel';
import { DeliveriesPanel } from './deliveries-panel';
import { EndedPanel } from './ended-panel';
import { LivePanel } from './live-panel';
import { RulesPanel } from './rules-panel';
import { SilencesPanel } from './silences-panel';
import { useAlertsView } from './use-alerts-view';

const AlertDialogs = lazyPart(() => import('./alert-dialogs').then((module) => module.AlertDialogs));
const STALE_AFTER_MS = 20_000;

/** What stands now and who is told: alerts, silences, channels and the rules. */
export function AlertsPage() {
  const { tab, dialog } = useAlertsView();
  const query = useAlerts();
  const { data, error } = query;
  if (error && !data) return <LoadError title="The alerts could not be loaded" query={query} />;
  return (
    <>
      <NavTabs label="Alerts" className="mx-4 mb-3 max-sm:mx-2" value={tab} items={TABS} />
      <div className="space-y-3 px-4 pb-6 max-sm:px-2">
        {data?.fresh === false && (
          <Callout tone="warn" title="Redis cannot be read.">
            These are the alerts that this console sends by itself. Acknowledging and silencing work again
            when Redis is back.
          </Callout>
        )}
        {tab === 'now' && (
          <>
            <LivePanel alerts={data} />
            {data && <SilencesPanel silences={data.silences} fresh={data.fresh} />}
          </>
        )}
        {tab === 'ended' && <EndedPanel />}
        {tab === 'channels' && <ChannelPanels alerts={data} />}
      </div>
      {dialog !== null && data && <AlertDialogs alerts={data} />}
    </>
  );
}

/** A panel comes when the ones above it are as high as they stay, so that none moves another. */
function ChannelPanels({ alerts }: { alerts: Alerts | undefined }) {
  const { alert, cursor } = useAlertsView();
  const { isPending } = useDeliveries(alert, cursor);
  return (
    <>
      <ChannelsPanel channels={alerts?.channels ?? null} />
      {alerts && <DeliveriesPanel />}
      {alerts && !isPending && <RulesPanel rules={alerts.rules} />}
    </>
  );
}

const TABS = [
  { value: 'now', label: 'Now', href: links.alerts(), icon: <BellRing aria-hidden /> },
  { value: 'ended', label: 'Ended', href: links.alerts({ tab: 'ended' }), icon: <Clock aria-hidden /> },
  {
    value: 'channels',
    label: 'Channels',
    href: links.alerts({ tab: 'channels' }),
    icon: <Zap aria-hidden />,
  },
];

export function AlertsAge() {
  return <DataAge at={useAlerts().data?.at} staleAfterMs={STALE_AFTER_MS} />;
}
