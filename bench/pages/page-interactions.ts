/** What an operator does with the mouse and the keys, the same in every run, and how long each took until the next paint. */
import type { BrowserContext, Page } from '@playwright/test';
import { links } from '@/lib/browser/links';
import { newWatchedPage, type PageReading, readPage, readPageAt } from '@/testing/pages/page-load';

/** As fast as people type. */
const KEY_MS = 80;
/** Between two steps: what an interaction starts is drawn by then. */
const PAUSE_MS = 200;
/** By then the parts for dialogs are loaded, as for a person who has looked at the page. */
const READ_FIRST_MS = 4_500;
/** Browsers report no event that is shorter. */
const REPORTED_FROM_MS = 16;
const ROW = 'main tbody tr:not([aria-hidden])';

type Step = readonly [name: string, act: (page: Page) => Promise<unknown>];
interface Scene {
  readonly path: string;
  readonly data: string;
  readonly steps: readonly Step[];
}

const type = (page: Page, text: string) => page.keyboard.type(text, { delay: KEY_MS });
async function press(page: Page, key: string, times = 1): Promise<void> {
  for (let i = 0; i < times; i += 1) await page.keyboard.press(key, { delay: KEY_MS });
}
const clickRadio = (page: Page, name: string) => page.getByRole('radio', { name, exact: true }).click();
const clickNav = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).first().getByRole('link', { name }).click();

const FILTER: readonly Step[] = [
  ['filter the queues', (page) => page.getByLabel('Filter queues by name').click()],
  ['filter the queues', (page) => type(page, 'usual')],
  ['clear the filter', (page) => press(page, 'Control+A')],
  ['clear the filter', (page) => press(page, 'Backspace')],
  ['sort the queues', (page) => page.getByLabel('Sort queues').focus()],
  ['sort the queues', (page) => press(page, 'ArrowDown', 3)],
  ['sort the queues', (page) => press(page, 'ArrowUp', 3)],
];

/** @param isListed the overview has a filter, which it shows from twenty queues on */
export function scenesOf(queue: string, isListed: boolean): Scene[] {
  return [
    {
      path: links.overview(),
      data: 'main tbody tr[data-queue]',
      steps: [
        ...(isListed ? FILTER : []),
        ['range of the charts', (page) => clickRadio(page, '6 h')],
        ['range of the charts', (page) => clickRadio(page, '1 h')],
        ['open the finder', (page) => press(page, 'Control+K')],
        ['type in the finder', (page) => type(page, 'queue')],
        ['close the finder', (page) => press(page, 'Escape')],
      ],
    },
    {
      path: links.queue(queue),
      data: 'main nav[aria-label="States of this queue"] li',
      steps: (['Completed', 'Dead', 'Ready'] as const).map((state) => [
        'show another state',
        (page) =>
          page
            .getByRole('navigation', { name: 'States of this queue' })
            .getByRole('link', { name: state })
            .click(),
      ]),
    },
    {
      path: links.dead(),
      data: ROW,
      steps: [
        [
          'show dead letters as rows',
          (page) => page.getByRole('link', { name: 'Rows', exact: true }).click(),
        ],
        ['move by j and k', (page) => press(page, 'j', 6)],
        ['move by j and k', (page) => press(page, 'k', 3)],
        ['select by x', (page) => press(page, 'x')],
        ['select by x', (page) => press(page, 'Escape')],
        ['open a job beside the list', (page) => press(page, 'Enter')],
        ['next job by j', (page) => press(page, 'j', 3)],
        ['close the job', (page) => press(page, 'Escape')],
        [
          'show dead letters as groups',
          (page) => page.getByRole('link', { name: 'Groups', exact: true }).click(),
        ],
      ],
    },
    {
      path: links.workers(),
      data: 'main article[aria-label^="Worker "]',
      steps: ['Schedules', 'Operations', 'Dead letters', 'Overview'].map((name) => [
        'go to another page',
        (page) => clickNav(page, name),
      ]),
    },
  ];
}

export interface StepTimes {
  name: string;
  interactions: number;
  worstMs: number;
}
export interface InteractionTimes {
  /** With those that were too short for the browser to report. */
  interactions: number;
  p98Ms: number;
  worstMs: number;
  /** The slowest first. */
  steps: StepTimes[];
}

/** When a step began. */
interface Mark {
  readonly name: string;
  readonly atMs: number;
}
export interface PlayedScene {
  readonly reading: Pick<PageReading, 'events' | 'interactions'>;
  readonly marks: readonly Mark[];
}

/** Goes through a scene in a page of its own. */
export async function playScene(context: BrowserContext, { path, data, steps }: Scene): Promise<PlayedScene> {
  const page = await newWatchedPage(context, data);
  try {
    await page.goto(path);
    await readPageAt(page, READ_FIRST_MS, path);
    const marks: Mark[] = [];
    for (const [name, act] of steps) {
      marks.push({ name, atMs: await page.evaluate<number>('performance.now()') });
      await act(page);
      await page.waitForTimeout(PAUSE_MS);
    }
    return { reading: await readPage(page), marks };
  } finally {
    await page.close();
  }
}

/** The events of one interaction count as their longest, as browsers do for "interaction to next paint". */
export function interactionTimes(scenes: readonly PlayedScene[]): InteractionTimes {
  const times: { name: string; ms: number }[] = [];
  let counted = 0;
  for (const { reading, marks } of scenes) {
    const longest = new Map<number, { atMs: number; durationMs: number }>();
    for (const event of reading.events)
      if (event.durationMs > (longest.get(event.interaction)?.durationMs ?? 0))
        longest.set(event.interaction, event);
    counted += Math.max(reading.interactions ?? 0, longest.size);
    for (const { atMs, durationMs } of longest.values())
      times.push({ name: marks.findLast((mark) => mark.atMs <= atMs)?.name ?? 'before', ms: durationMs });
  }
  times.sort((a, b) => b.ms - a.ms);
  const steps = [...new Set(times.map(({ name }) => name))].map((name) => {
    const own = times.filter((time) => time.name === name);
    return { name, interactions: own.length, worstMs: own[0]?.ms ?? Number.NaN };
  });
  return {
    interactions: counted,
    // Of a hundred, two may be slower.
    p98Ms: times[Math.floor(counted * 0.02)]?.ms ?? (counted > 0 ? REPORTED_FROM_MS : Number.NaN),
    worstMs: times[0]?.ms ?? Number.NaN,
    steps,
  };
}
