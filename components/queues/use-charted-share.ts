'use client';
import { urlText, useUrlState } from '@/components/shared/url-state';

const PARSERS = { of: urlText };
/** The panel with the charts of the queue. */
export const CHARTS_ID = 'charts';

type Kind = 'tenant' | 'type';
export interface Share {
  readonly kind: Kind;
  readonly name: string;
}

export const shareKey = ({ kind, name }: Share): string => `${kind}:${name}`;

export function parseShare(value: string | null): Share | null {
  const [, kind, name] = /^(tenant|type):(.+)$/s.exec(value ?? '') ?? [];
  return kind && name ? { kind: kind as Kind, name } : null;
}

/** The tenant or job type of which the charts of the queue are, held by the URL; null: of all jobs. */
export function useChartedShare() {
  const [{ of }, set] = useUrlState(PARSERS);
  return {
    share: parseShare(of),
    choose: (share: Share | null) => set({ of: share && shareKey(share) }),
    /** Brings the charts on the screen, too. */
    open: (share: Share) => {
      set({ of: shareKey(share) });
      document.getElementById(CHARTS_ID)?.scrollIntoView({ block: 'start' });
    },
  };
}
