/** What holds of alerts whatever is found, acknowledged and silenced, and whenever a console looks. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ALERT_QUEUES_MAX, ALERTS_MAX } from '@/lib/contract/alerts/alert-limits';
import type { Alert } from '@/lib/contract/alerts/alert-schemas';
import type { StoredAlert } from '@/lib/contract/alerts/alert-storage';
import { Course, MESSAGES_OF_A_LOOK } from '@/testing/alerts/alert-course';
import type { AlertFinding, AlertRules } from './advance-alerts';
import { channel, finding, RULES } from './fixture-findings';

const [BAD_FOR_MS, WARN_FOR_MS, WIDER_EVERY_MS] = [30_000, 300_000, 300_000];
const CODES = ['FAILING', 'DEEP', 'OLD'] as const;
const QUEUES = ['a', 'b', 'c'] as const;

type Level = Alert['level'];
interface Seen {
  readonly at: number;
  /** Null: the look did not have it. */
  readonly level: Level | null;
  readonly isComplete: boolean;
}

/** Since when this holds without a break, up to the latest look. What was not read proves nothing. */
function sinceWhen(looks: readonly Seen[], holds: (level: Level | null) => boolean): number | null {
  let since: number | null = null;
  for (const { at, level, isComplete } of [...looks].reverse()) {
    if (level === null && !isComplete) continue;
    if (!holds(level)) break;
    since = at;
  }
  return since;
}

/** The rules of docs/operate/alerts.md, one code at a time, from all that was seen of it. */
class Witness {
  private readonly looks = new Map<string, Seen[]>();
  /** What receivers know of an alert, by its id. */
  private readonly known = new Map<string, { level: Level; queues: Set<string>; at: number }>();

  constructor(private readonly course: Course) {}

  look(findings: readonly AlertFinding[], isComplete: boolean): void {
    const { course } = this;
    const [before, open] = [course.live, new Set(course.open)];
    const changes = course.look(findings, isComplete);
    const written = [...changes.live.map(({ code }) => code), ...changes.removed];
    expect(new Set(written).size).toBe(written.length);
    expect(course.live.has('PAUSED')).toBe(false);
    for (const code of CODES) {
      const seen = findings.find((one) => one.code === code);
      const [was, is] = [before.get(code), course.live.get(code)];
      const looks = [
        ...(this.looks.get(code) ?? []),
        { at: course.now, level: seen?.level ?? null, isComplete },
      ];
      this.looks.set(code, is ? looks : []);
      const events = changes.messages
        .filter(({ alert }) => alert.code === code)
        .map(({ channel: name, event }) => `${name} ${event}`);
      const ended = changes.ended.filter((alert) => alert.code === code);
      if (was && is)
        expect([is.id, is.seenAt, is.acknowledged]).toEqual([was.id, was.seenAt, was.acknowledged]);
      if (!seen && !isComplete) {
        expect([is, events, ended]).toEqual([was, [], []]);
        continue;
      }
      const lasts = (since: number | null, ms: number) => since !== null && course.now - since >= ms;
      const goneAt = sinceWhen(looks, (level) => level === null);
      const isFiring =
        was?.state === 'firing'
          ? !lasts(goneAt, RULES.resolveAfterMs)
          : lasts(
              sinceWhen(looks, (level) => level !== null),
              WARN_FOR_MS,
            ) ||
            lasts(
              sinceWhen(looks, (level) => level === 'bad'),
              BAD_FOR_MS,
            );
      expect(is?.state).toBe(isFiring ? 'firing' : seen && 'pending');
      const isOver = was?.state === 'firing' && !is;
      expect(ended).toMatchObject(isOver ? [{ id: was.id, state: 'ended', endedAt: goneAt }] : []);
      if (is && seen) expect(events).toEqual(this.toldOf(is, open));
      else
        expect(events.sort()).toEqual(isOver ? told(course, open, code).map((name) => `${name} ended`) : []);
      for (const [earlier, later] of [
        [is?.seenAt, is?.firedAt],
        [is?.seenAt, is?.badSince],
        [is?.firedAt, course.now],
        [ended[0]?.firedAt, ended[0]?.endedAt],
      ])
        expect(earlier ?? 0).toBeLessThanOrEqual(later ?? Number.MAX_SAFE_INTEGER);
    }
  }

  /** The messages about an alert whose finding stands. */
  private toldOf(alert: StoredAlert, open: ReadonlySet<string>): string[] {
    const { now, channels } = this.course;
    const { id, code, level, queues, acknowledged } = alert;
    expect(alert.silencedBy !== null).toBe(this.isSilenced(alert));
    if (alert.state !== 'firing' || this.isSilenced(alert)) return [];
    const known = this.known.get(id) ?? { level, queues: new Set(queues.named), at: now };
    const isWider =
      acknowledged === null &&
      now - known.at >= WIDER_EVERY_MS &&
      queues.named.some((queue) => !known.queues.has(queue));
    const isWorse = isWider || (level === 'bad' && known.level === 'warn');
    this.known.set(
      id,
      isWorse
        ? {
            level: level === 'bad' ? level : known.level,
            queues: new Set([...known.queues, ...queues.named]),
            at: now,
          }
        : known,
    );
    return channels.flatMap((one) => {
      if (!one.takes(alert)) return [];
      if (!open.has(`${one.name} ${code}`)) return [`${one.name} fired`];
      return isWorse ? [`${one.name} worse`] : [];
    });
  }

  private isSilenced({ code, queues: { total, named } }: StoredAlert): boolean {
    const { now, silences } = this.course;
    const covers = (queue: string | null) =>
      silences.some((one) => one.until > now && [null, code].includes(one.code) && one.queue === queue);
    return covers(null) || (total > 0 && total === named.length && named.every(covers));
  }
}

const told = ({ channels }: Course, open: ReadonlySet<string>, code: string): string[] =>
  channels.flatMap(({ name }) => (open.has(`${name} ${code}`) ? [name] : [])).sort();

const laterMs = fc.oneof(
  fc.constantFrom(0, 5_000, 29_999, 30_000, 59_999, 60_000, 299_999, 300_000),
  fc.nat(70_000),
);
const findingsOfLook = fc
  .uniqueArray(
    fc.record({
      code: fc.constantFrom(...CODES, 'PAUSED'),
      level: fc.constantFrom<Level>('warn', 'bad'),
      named: fc.subarray([...QUEUES]),
      unnamed: fc.constantFrom(0, 0, 0, 60),
    }),
    { selector: ({ code }) => code, maxLength: 4 },
  )
  .map((list) =>
    list.map(({ code, level, named, unnamed }) =>
      finding({ code, level, queues: { total: named.length + unnamed, named } }),
    ),
  );
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      findings: findingsOfLook,
      /** Of as many looks, after so long each. */
      times: fc.integer({ min: 1, max: 6 }),
      afterMs: laterMs,
      isComplete: fc.constantFrom(true, true, true, false),
    }),
  },
  { weight: 1, arbitrary: fc.record({ acknowledge: fc.constantFrom(...CODES) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      silence: fc.constantFrom(null, ...CODES),
      queue: fc.constantFrom(null, ...QUEUES),
      forMs: fc.nat(400_000),
    }),
  },
  { weight: 1, arbitrary: fc.record({ unsilence: fc.nat(5) }) },
);

test('alerts fire, become worse, stay silent and end by their rules, whatever happens', () => {
  const channels = [
    channel('all'),
    channel('night', ({ level }) => level === 'bad'),
    channel('of-c', ({ queues }) => queues.named.includes('c')),
  ];
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20, size: 'max' }), (steps) => {
      const course = new Course(RULES, channels);
      const witness = new Witness(course);
      for (const one of steps)
        if ('times' in one)
          for (let i = 0; i < one.times; i++) {
            course.now += one.afterMs;
            witness.look(one.findings, one.isComplete);
          }
        else if ('acknowledge' in one) course.acknowledge(one.acknowledge);
        else if ('unsilence' in one) course.silences.splice(one.unsilence, 1);
        else {
          const { silence: code, queue, forMs } = one;
          const id = `s${course.silences.length}`;
          course.silences.push({
            id,
            code,
            queue,
            reason: 'x',
            actor: 'Ada',
            at: course.now,
            until: course.now + forMs,
          });
        }
    }),
    { numRuns: 100 },
  );
});

test('whatever their number, alerts and messages are bounded, and none is lost', () => {
  const atOnce: AlertRules = { forMs: () => 0, resolveAfterMs: 0 };
  const channels = Array.from({ length: 20 }, (_, i) => channel(`c${i}`));
  const names = Array.from({ length: 80 }, (_, i) => `q${i}`);
  const standing = fc.record({ from: fc.nat(60), count: fc.nat(150), queues: fc.nat(80) });
  fc.assert(
    fc.property(fc.array(standing, { minLength: 1, maxLength: 8 }), (looks) => {
      const course = new Course(atOnce, channels);
      const look = ({ from, count, queues }: (typeof looks)[number]) => {
        course.now += 5_000;
        const named = names.slice(0, queues);
        course.look(
          Array.from({ length: count }, (_, i) =>
            finding({ code: `CODE_${from + i}`, queues: { total: queues, named } }),
          ),
        );
        for (const alert of course.live.values())
          expect(alert.queues.named.length).toBeLessThanOrEqual(ALERT_QUEUES_MAX);
      };
      for (const one of looks) look(one);
      const last = looks[looks.length - 1] ?? { from: 0, count: 0, queues: 0 };
      // So many as it takes to tell what was left of all looks before, and then all that stands.
      const enough = 2 * Math.ceil((ALERTS_MAX * channels.length) / MESSAGES_OF_A_LOOK) + 1;
      for (let i = 0; i < enough; i++) look(last);
      expect(course.open.size).toBe(course.live.size * channels.length);
      expect(course.live.size).toBe(Math.min(last.count, ALERTS_MAX));
      for (let i = 0; i < enough; i++) look({ from: 0, count: 0, queues: 0 });
      expect([course.open.size, course.live.size]).toEqual([0, 0]);
    }),
    { numRuns: 12 },
  );
});
