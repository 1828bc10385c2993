'use client';
import type { Route } from 'next';
import Link from 'next/link';

import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/controls/button';
import { BellOff, Check, CircleAlert, TriangleAlert } from '@/components/ui/icons';
import { pageActionsOf } from '@/components/ui/page-actions';
import { RelativeTime } from '@/components/ui/text/relative-time';
import { useTimeZone } from '@/components/ui/text/time-zone-choice';
import { toneText } from '@/components/ui/tone';
import { links } from '@/lib/browser/links';
import type { Alert, Silence } from '@/lib/contract/alerts/alert-schemas';
import { evidencePath } from '@/lib/contract/queues/evidence-path';
import { absoluteLocal } from '@/lib/format/date-time';
import { revealHidden } from '@/lib/format/display-text';
import { AlertQueues } from './alert-queues';
import { alertStatus, codeLabel, LEVEL_LABELS } from './labels';
import { useAlertOffer } from './use-alert-offer';
import { useAlertsView } from './use-alerts-view';

const ICONS = { bad: CircleAlert, warn: TriangleAlert } as const;

/** One alert that stands: what is wrong, since when, where, who takes care, and what the user may do. */
export function LiveAlert({ alert, silence }: { alert: Alert; silence: Silence | undefined }) {
  const { id, level, code, seenAt, acknowledged, queues, over } = alert;
  const LevelIcon = ICONS[level];
  const status = alertStatus(alert);
  return (
    <li
      data-alert={code}
      className="grid grid-cols-[auto_minmax(0,1fr)] items-start gap-x-2 gap-y-1.5 px-3 py-2 sm:grid-cols-[auto_minmax(0,1fr)_auto]"
    >
      <LevelIcon aria-hidden className={`mt-1 size-4 shrink-0 ${toneText[level]}`} />
      <div className="min-w-0 space-y-0.5">
        <p className="[overflow-wrap:anywhere]">
          <span className="sr-only">{LEVEL_LABELS[level]}: </span>
          <AlertSentence alert={alert} />
        </p>
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 text-muted text-xs">
          <Badge tone={status.tone}>{status.label}</Badge>
          <span translate="no" className="font-mono" title={codeLabel(code)}>
            {code}
          </span>
          <span>
            since <RelativeTime at={seenAt} />
          </span>
          {over && (
            <span>
              went <RelativeTime at={over.at} />, ends <RelativeTime at={over.endsAt} /> unless it comes back
            </span>
          )}
          <AlertQueues queues={queues} />
          <Link
            href={links.alerts({ tab: 'channels', alert: id }) as Route}
            prefetch={false}
            className="rounded-xs leading-6 hover:underline"
          >
            Deliveries
          </Link>
        </p>
        {acknowledged && (
          <p className="text-muted text-xs [overflow-wrap:anywhere]">
            {revealHidden(acknowledged.actor)} takes care, since <RelativeTime at={acknowledged.at} />
            {acknowledged.note !== null && <>: {revealHidden(acknowledged.note)}</>}
          </p>
        )}
        {silence && (
          <p className="text-muted text-xs [overflow-wrap:anywhere]">
            Silenced by {revealHidden(silence.actor)}, ends <RelativeTime at={silence.until} />:{' '}
            {revealHidden(silence.reason)}
          </p>
        )}
      </div>
      <Actions alert={alert} />
    </li>
  );
}

const ISO_TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

/** The sentence, as a link to the page that shows the cause. */
export function AlertSentence({ alert: { sentence, evidence } }: { alert: Alert }) {
  const zone = useTimeZone();
  // Times in sentences are UTC, as in messages.
  const text = revealHidden(sentence.replace(ISO_TIME, (time) => absoluteLocal(Date.parse(time), zone)));
  if (evidence === null) return text;
  return (
    <Link
      href={evidencePath(evidence) as Route}
      prefetch={false}
      data-row-link
      className="inline-block leading-6 underline decoration-line-strong underline-offset-2 hover:decoration-current"
    >
      {text}
    </Link>
  );
}

function Actions({ alert }: { alert: Alert }) {
  const { open } = useAlertsView();
  const { shown, missing } = useAlertOffer()(alert);
  if (!shown) return null;
  return (
    <span className="flex gap-1.5 max-sm:col-start-2" {...pageActionsOf(alert.sentence)}>
      {alert.state === 'firing' && alert.acknowledged === null && (
        <Button
          size="sm"
          blocked={missing}
          aria-label={`Acknowledge ${alert.code}`}
          onClick={() => open('acknowledge', alert.id)}
        >
          <Check aria-hidden />
          Acknowledge
        </Button>
      )}
      {alert.silencedBy === null && (
        <Button
          size="sm"
          blocked={missing}
          aria-label={`Silence ${alert.code}…`}
          onClick={() => open('silence', alert.id)}
        >
          <BellOff aria-hidden />
          Silence…
        </Button>
      )}
    </span>
  );
}
