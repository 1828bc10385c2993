import type { Broker } from '@/lib/broker';

/** The part of a broker that schedules need. */
export type SchedulesBroker = Pick<Broker, 'schedules' | 'enqueue' | 'now'> & {
  readonly inspect: Pick<Broker['inspect'], 'redaction'>;
};
export type TickBroker = Pick<Broker, 'schedules'>;
/** A schedule as it was read. */
export type StoredSchedule = Awaited<ReturnType<Broker['schedules']['get']>>;
export type DueEntry = Awaited<ReturnType<Broker['schedules']['due']>>['due'][number];
export type Fence = Awaited<ReturnType<Broker['schedules']['enter']>>['fence'];
