/**
 * Stops calling what is down. Closed: runs go through, and failures are counted. Open: none goes through until the cooldown is
 * over. Half-open: one run goes through as a trial; if it succeeds the breaker closes, if it fails the next cooldown is twice
 * as long. One breaker a job type and worker.
 */

import { z } from 'zod';
import type { BREAKER_STATES } from '@/lib/contract/workers/worker-limits';
import { CallWindow } from './call-window';

const DAY_MS = 86_400_000;
export const breakerOptionsSchema = z
  .strictObject({
    failureThreshold: z.number().int().min(1).max(100_000).default(5),
    failureRatio: z.number().min(0).max(1).default(0.5),
    windowMs: z.number().int().min(100).max(DAY_MS).default(30_000),
    cooldownMs: z.number().int().min(10).max(DAY_MS).default(10_000),
    cooldownMaxMs: z.number().int().min(10).max(DAY_MS).optional(),
  })
  .refine(({ cooldownMs, cooldownMaxMs }) => cooldownMaxMs === undefined || cooldownMaxMs >= cooldownMs, {
    path: ['cooldownMaxMs'],
    message: 'must not be less than cooldownMs',
  });
export interface BreakerOptions {
  /** Opens after so many failures within the window (default 5) … */
  failureThreshold?: number | undefined;
  /** … if they are at least this share of the runs that ended in it, 0 to 1. Default 0.5; 0: whatever their share. */
  failureRatio?: number | undefined;
  /** Default 30,000. */
  windowMs?: number | undefined;
  /** How long nothing goes through (default 10,000); doubled with every trial that fails, up to `cooldownMaxMs`. */
  cooldownMs?: number | undefined;
  /** Default five minutes, or `cooldownMs` if that is longer. */
  cooldownMaxMs?: number | undefined;
}
const COOLDOWN_MAX_MS = 300_000;
/** While a trial runs, the others ask again after this share of the cooldown: it may be over soon. */
const TRIAL_SHARE = 0.25;

export type BreakerState = (typeof BREAKER_STATES)[number];
/** `neutral`: says nothing about what the handler calls (it was given back, or lost its lease). */
export type CallOutcome = 'success' | 'failure' | 'neutral';
/** The right to run once; to be handed back with the outcome. */
export interface Ticket {
  readonly generation: number;
  readonly trial: boolean;
}
export type Admission = { readonly ticket: Ticket } | { readonly waitMs: number };

export interface BreakerView {
  readonly state: BreakerState;
  /** Closed: within the window. Else: since it opened, with those that opened it. */
  readonly failures: number;
  /** Until a trial may run; null: closed. */
  readonly retryInMs: number | null;
  readonly unchangedForMs: number;
}

export class Breaker {
  readonly #options: z.output<typeof breakerOptionsSchema>;
  readonly #cooldownMaxMs: number;
  readonly #nowMs: () => number;
  readonly #onChange: (state: BreakerState) => void;
  readonly #window: CallWindow;
  #state: BreakerState = 'closed';
  /** Goes up with every change: what started before the last one says nothing about now. */
  #generation = 0;
  #changedAtMs: number;
  #retryAtMs = 0;
  #cooldownMs: number;
  #failures = 0;

  /** @param nowMs a clock that is never set back */
  constructor(
    options: BreakerOptions,
    nowMs: () => number,
    onChange: (state: BreakerState) => void = () => undefined,
  ) {
    this.#options = breakerOptionsSchema.parse(options);
    const { cooldownMs, cooldownMaxMs, windowMs } = this.#options;
    this.#cooldownMs = cooldownMs;
    this.#cooldownMaxMs = cooldownMaxMs ?? Math.max(COOLDOWN_MAX_MS, cooldownMs);
    this.#nowMs = nowMs;
    this.#onChange = onChange;
    this.#window = new CallWindow(windowMs);
    // Long ago: a breaker that never opened has nothing to show.
    this.#changedAtMs = Number.NEGATIVE_INFINITY;
  }

  /** May a run start? If so, call `settle` with its outcome; if not, `waitMs` says when to ask again. */
  admit(): Admission {
    const now = this.#nowMs();
    switch (this.#state) {
      case 'closed':
        return { ticket: { generation: this.#generation, trial: false } };
      case 'open':
        if (now < this.#retryAtMs) return { waitMs: this.#retryAtMs - now };
        this.#turn('half-open');
        return { ticket: { generation: this.#generation, trial: true } };
      case 'half-open':
        return { waitMs: Math.max(1, this.#cooldownMs * TRIAL_SHARE) };
    }
  }

  /** @param retryAfterMs what the other side asked for: no trial before */
  settle(ticket: Ticket, outcome: CallOutcome, retryAfterMs = 0): void {
    if (ticket.generation !== this.#generation) return;
    if (ticket.trial) {
      this.#settleTrial(outcome, retryAfterMs);
      return;
    }
    if (outcome === 'neutral') return;
    const now = this.#nowMs();
    this.#window.add(now, outcome === 'failure');
    const { failures, calls } = this.#window.read(now);
    const { failureThreshold, failureRatio, cooldownMs } = this.#options;
    if (outcome !== 'failure' || failures < failureThreshold || failures < calls * failureRatio) return;
    this.#failures = failures;
    this.#cooldownMs = cooldownMs;
    this.#open(retryAfterMs);
  }

  #settleTrial(outcome: CallOutcome, retryAfterMs: number): void {
    switch (outcome) {
      case 'success':
        this.#window.clear();
        this.#turn('closed');
        break;
      case 'failure':
        this.#failures += 1;
        this.#cooldownMs = Math.min(this.#cooldownMaxMs, this.#cooldownMs * 2);
        this.#open(retryAfterMs);
        break;
      case 'neutral':
        // Nothing was learnt: the next run is the trial.
        this.#turn('open');
    }
  }

  #open(retryAfterMs: number): void {
    this.#retryAtMs =
      this.#nowMs() + Math.max(this.#cooldownMs, Math.min(this.#cooldownMaxMs, retryAfterMs || 0));
    this.#turn('open');
  }

  #turn(state: BreakerState): void {
    this.#state = state;
    this.#generation += 1;
    this.#changedAtMs = this.#nowMs();
    this.#onChange(state);
  }

  view(): BreakerView {
    const now = this.#nowMs();
    const closed = this.#state === 'closed';
    return {
      state: this.#state,
      failures: closed ? this.#window.read(now).failures : this.#failures,
      retryInMs: closed ? null : Math.max(0, this.#retryAtMs - now),
      unchangedForMs: now - this.#changedAtMs,
    };
  }
}
