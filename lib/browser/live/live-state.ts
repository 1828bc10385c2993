/**
 * The live connection as a pure state machine.
 *
 *   connecting ──frame──► live ──silent, broken──► polling ──poll failed──► offline
 *        └──silent, broken──► polling ◄──poll answered──┘        frame, from anywhere ──► live
 *
 * Without a seat a tab reads one frame, again and again, and is `polling`. A hidden tab closes the stream and is `connecting` again when it becomes visible.
 */
import type { Overview } from '@/lib/contract/queues/queue-schemas';
import { createStore, type Store } from '../store';
import type { NoSeat } from './stream-seats';

/** A smaller change of the measured clock offset is network noise. */
export const OFFSET_NOISE_MS = 250;

export type LiveStatus = 'connecting' | 'live' | 'polling' | 'offline';

export interface LiveState {
  readonly status: LiveStatus;
  /** Time of the last data by this browser's clock; null before the first. */
  readonly lastFrameAt: number | null;
  /** Server time minus this browser's time; 0 before the first frame. */
  readonly offsetMs: number;
  /** Why this tab keeps no stream open; null while it may. */
  readonly noSeat: NoSeat | null;
  /** Why the last poll failed, as a sentence; null while data arrives. */
  readonly problem: string | null;
}

export type LiveEvent =
  | { type: 'frame'; now: number; serverNow: number; noSeat: NoSeat | null }
  | { type: 'poll-answered'; now: number; serverNow: number }
  | { type: 'poll-failed'; problem: string }
  | { type: 'silent' }
  | { type: 'suspended' };

export const INITIAL_LIVE_STATE: LiveState = {
  status: 'connecting',
  lastFrameAt: null,
  offsetMs: 0,
  noSeat: null,
  problem: null,
};

export function reduceLive(state: LiveState, event: LiveEvent): LiveState {
  switch (event.type) {
    case 'frame':
      return {
        status: event.noSeat === null ? 'live' : 'polling',
        lastFrameAt: event.now,
        offsetMs: steadyOffset(state, event.serverNow - event.now),
        noSeat: event.noSeat,
        problem: null,
      };
    case 'poll-answered':
      return {
        ...state,
        status: 'polling',
        noSeat: null,
        lastFrameAt: event.now,
        offsetMs: steadyOffset(state, event.serverNow - event.now),
        problem: null,
      };
    case 'poll-failed':
      return { ...state, status: 'offline', problem: event.problem };
    case 'silent':
      return state.status === 'connecting' || state.status === 'live'
        ? { ...state, status: 'polling', noSeat: null }
        : state;
    case 'suspended':
      return { ...state, status: 'connecting', noSeat: null };
  }
}

function steadyOffset(state: LiveState, measured: number): number {
  const first = state.lastFrameAt === null;
  return first || Math.abs(measured - state.offsetMs) > OFFSET_NOISE_MS ? measured : state.offsetMs;
}

/** Server time when the snapshot was sent; `at` alone does not advance while Redis is unreachable. */
export const serverNowOf = (overview: Overview): number => overview.at + overview.ageMs;

/** Delay before the n-th reconnect (from 1): exponential with half jitter, at most 15 s. */
export function reconnectDelay(attempt: number, random: () => number = Math.random): number {
  const ceiling = Math.min(15_000, 1_000 * 2 ** Math.min(attempt - 1, 10));
  return Math.round(ceiling / 2 + (ceiling / 2) * random());
}

export type LiveStore = Pick<Store<LiveState>, 'get' | 'subscribe'> & { send(event: LiveEvent): void };

export function createLiveStore(): LiveStore {
  const { get, set, subscribe } = createStore(INITIAL_LIVE_STATE);
  return { get, subscribe, send: (event) => set(reduceLive(get(), event)) };
}
