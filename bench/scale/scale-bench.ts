/** `npm run bench:scale`: what a job costs as shards, queues, processes, backlogs, payloads and rates grow. */
import type { Bench } from '../harness/bench-command';
import { bundle } from '../harness/bundle';
import { stamp } from '../harness/machine';
import { type Figures, fill, measureLoad, withScene } from './measure-load';
import { writeDocs } from './scale-docs';
import {
  DIMENSION_NAMES,
  type Dimension,
  dimensionsIn,
  type Point,
  planOf,
  pointsInRound,
} from './scale-plan';
import {
  inShort,
  mergeDimensions,
  type Reading,
  type ScaleReport,
  scaleMarkdown,
  summarise,
} from './scale-report';

export const bench: Bench<'rounds'> = {
  help: `npm run bench:scale [-- options]

  --rounds N     rounds of every point (default 3); 10,000 queues, 32 processes, a million jobs waiting and more have one
  --only NAME    only this dimension; several with commas, or given again
  --quick        few jobs and points: shows that everything works; written only with --out
  --out FILE     writes FILE.json and FILE.md (default bench/results/scale, and the figures of docs/scale.md; with --only the other dimensions there stay)

Dimensions: ${DIMENSION_NAMES.join(', ')}.`,
  out: 'bench/results/scale',
  numbers: { rounds: { default: 3, quick: 1, max: 100 } },
  texts: ['only'],
  async run({ numbers: { rounds }, texts, quick, out }, say) {
    const dimensions = dimensionsIn(texts.only ?? [], planOf(quick));
    const file = await bundle('scale/scale-process.ts');
    const failures: string[] = [];
    const measured = [];
    for (const dimension of dimensions) {
      const readings: Reading[] = [];
      const measure = async (round: number, points: readonly Point[]) => {
        const label = `${dimension.name} round ${round}`;
        const add = (value: number, figures: Figures) => {
          readings.push({ value, figures });
          say(`${label}, ${value}: ${inShort(figures)}`);
        };
        try {
          await measurePoints(dimension, points, { file, quick, add });
        } catch (error) {
          const reason = error instanceof Error ? error.message : String(error);
          failures.push(`${label}: ${reason.split('\n')[0]}`);
          say(`${label} FAILED: ${reason}`);
        }
      };
      for (let round = 1; round <= rounds; round++) {
        const points = pointsInRound(dimension, round);
        if (dimension.ladder) await measure(round, points);
        else for (const point of points) await measure(round, [point]);
      }
      measured.push(summarise(dimension, readings));
    }
    const report: ScaleReport = {
      ...stamp(),
      rounds,
      dimensions: out === null ? measured : mergeDimensions(out, measured),
      ...(failures.length > 0 && { failures }),
    };
    if (out === bench.out && failures.length === 0) writeDocs(report);
    return { report, text: scaleMarkdown(report), ok: failures.length === 0 };
  },
};

interface Measuring {
  readonly file: string;
  readonly quick: boolean;
  add(value: number, figures: Figures): void;
}

/** Points of a ladder share their scene; others come one at a time. */
async function measurePoints(
  { ladder }: Dimension,
  points: readonly Point[],
  { file, quick, add }: Measuring,
): Promise<void> {
  const [first] = points;
  if (!first) return;
  await withScene(file, first.load, quick, async (scene) => {
    let waiting = 0;
    for (const { value, load } of points) {
      const emptyBytes = ladder ? await scene.servers.dataBytes() : 0;
      const more = load.waiting - waiting;
      if (more > 0) await fill(scene, load, more);
      const memoryBytes = ladder ? ((await scene.servers.dataBytes()) - emptyBytes) / more : null;
      waiting = load.waiting;
      const figures = await measureLoad(scene, load, waiting);
      add(value, memoryBytes === null ? figures : { ...figures, memoryBytes });
    }
  });
}
