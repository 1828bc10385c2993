/** The lab, which can crash the demo worker for all viewers. With REDRIVE_LAB=off its routes do not exist. */
import { paths } from '@/lib/contract/api-paths';
import type {
  LabBurst,
  LabDrillRequest,
  LabEvents,
  LabSample,
  LabSettings,
  LabState,
} from '@/lib/contract/lab/lab-schemas';
import { LAB_QUEUES } from '@/lib/contract/lab/lab-settings';
import { noSuchPage } from '@/lib/contract/not-found-errors';
import { RedriveError } from '@/lib/contract/redrive-error';
import { requireEverywhere } from '../authorization/require-permission';
import { type RequestContext, requestActor } from '../authorized-broker/request-context';
import { getBroker } from '../console-broker';
import { labEnabled } from '../environment';
import { getSampler } from '../live/sampler';
import { getLab } from './console-lab';

export function authorizedLab(context: RequestContext) {
  const may = (permission: 'view' | 'operate') => {
    if (!labEnabled()) throw noSuchPage(paths.lab());
    requireEverywhere(context.principal, permission);
  };
  return {
    async state(): Promise<LabState> {
      may('view');
      return getLab().state();
    },
    async save(settings: LabSettings): Promise<LabState> {
      may('operate');
      await getLab().save(settings, requestActor(context));
      return getLab().state();
    },
    async burst(burst: LabBurst): Promise<void> {
      may('operate');
      if (!(await getLab().requestBurst(burst, requestActor(context))))
        throw new RedriveError(
          'LIMIT_REACHED',
          '50 bursts are queued: no demo worker is running. Start one with npm run worker.',
        );
    },
    /** The lab's queues over the last five minutes. */
    async samples(after: number): Promise<LabSample[]> {
      may('view');
      return getLab().samples(after);
    },
    async events(after: string): Promise<LabEvents> {
      may('view');
      return getLab().events(after);
    },
    /** Counts crashes and reclaimed jobs from now on. */
    async reset(): Promise<LabState> {
      may('operate');
      await getLab().reset(requestActor(context));
      return getLab().state();
    },
    /** @throws RedriveError LIMIT_REACHED */
    async drill(request: LabDrillRequest): Promise<LabState> {
      may('operate');
      // What the verdict says before the drill and at its end belongs to the score, also without a viewer.
      await getSampler().recent(0);
      if (request.action === 'start') await getLab().startDrill(request.drill, requestActor(context));
      else await getLab().stopDrill(requestActor(context));
      return getLab().state();
    },
    async reclaim(): Promise<number> {
      may('operate');
      let reclaimed = 0;
      for (const queue of Object.keys(LAB_QUEUES)) {
        const { returned, died } = await getBroker().reclaim(queue, undefined, requestActor(context));
        reclaimed += returned + died;
      }
      return reclaimed;
    },
  };
}
