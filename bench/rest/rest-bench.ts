/** `npm run bench:rest`: the processor time that a tab of the console takes while nobody touches it. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, CDPSession } from '@playwright/test';
import { consolePages } from '@/testing/pages/console-pages';
import type { Bench } from '../harness/bench-command';
import { launchBrowser, openContext } from '../harness/browser';
import { buildConsole } from '../harness/bundle';
import { stamp } from '../harness/machine';
import { type PageWorld, startDemoWorld } from '../pages/page-worlds';
import { isMet, type RestReport, type RestRow, restMarkdown } from './rest-report';

const PAGES = ['overview', 'queue', 'workers', 'dead letters', 'audit log', 'lab'];
/** A page that has just opened still loads panels below, hydrates and opens its stream. */
const SETTLE_MS = 5_000;

export const bench: Bench<'seconds'> = {
  help: `npm run bench:rest [-- options]

  --seconds N  that each page is watched for (default 30; fewer are only printed, except with --out)
  --quick      two seconds a page: shows that everything works
  --out FILE   writes FILE.json and FILE.md (default bench/results/console/rest)`,
  out: 'bench/results/console/rest',
  numbers: { seconds: { default: 30, quick: 2, max: 600 } },
  isPartial: ({ numbers }) => numbers.seconds < 30,
  async run({ numbers: { seconds } }, say) {
    await buildConsole();
    const world = await startDemoWorld();
    const rows: RestRow[] = [];
    let version = '';
    try {
      for (const page of PAGES) {
        // A browser for each page, whose only renderer is that of the page.
        const browser = await launchBrowser();
        version = browser.version();
        try {
          const row = await Promise.race([atRest(browser, world, page, seconds), world.failed]);
          rows.push(row);
          say(`${page}: renderer ${row.rendererPercent.toFixed(1)} %, GPU ${row.gpuPercent.toFixed(1)} %`);
        } finally {
          await browser.close();
        }
      }
    } finally {
      await world.stop();
    }
    const met = rows.every(isMet);
    const report: RestReport = { ...stamp(), browser: version, seconds, rows, met };
    return { report, text: restMarkdown(report), ok: met };
  },
};

async function atRest(browser: Browser, world: PageWorld, name: string, seconds: number): Promise<RestRow> {
  const found = consolePages(world.places).find((page) => page.name === name);
  if (!found) throw new Error(`There is no page ${name}.`);
  const context = await openContext(browser, world.own.url, world.cookie);
  const page = await context.newPage();
  await page.goto(found.path);
  await page.locator(found.data).first().waitFor();
  await page.locator('[data-slot=connection][data-kind=live]').waitFor();
  await pause(SETTLE_MS);
  const [processes, thread] = await Promise.all([
    browser.newBrowserCDPSession(),
    context.newCDPSession(page),
  ]);
  await thread.send('Performance.enable');
  const before = await readingOf(processes, thread);
  await pause(seconds * 1_000);
  const after = await readingOf(processes, thread);
  const elapsed = after.at - before.at;
  const share = (part: 'renderer' | 'gpu' | 'task') => ((after[part] - before[part]) / elapsed) * 100;
  return {
    page: name,
    rendererPercent: share('renderer'),
    gpuPercent: share('gpu'),
    mainThreadPercent: share('task'),
  };
}

/** Processor time so far, in seconds. */
async function readingOf(processes: CDPSession, thread: CDPSession) {
  const { processInfo } = await processes.send('SystemInfo.getProcessInfo');
  const { metrics } = await thread.send('Performance.getMetrics');
  const cpuOf = (type: string) =>
    processInfo.filter((one) => one.type === type).reduce((sum, one) => sum + one.cpuTime, 0);
  return {
    at: performance.now() / 1_000,
    renderer: cpuOf('renderer'),
    gpu: cpuOf('GPU'),
    task: metrics.find((metric) => metric.name === 'TaskDuration')?.value ?? 0,
  };
}
