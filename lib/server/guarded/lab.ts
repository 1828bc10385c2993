/** The lab: it makes the demo worker crash, for everybody who looks. Where it is switched off it is as if it were not there. */
import { paths } from '@/lib/contract/api';
import { RedriveError } from '@/lib/contract/errors';
import { LAB_QUEUES, type LabSettings, type LabState } from '@/lib/contract/lab';
import { needEverywhere } from '../access/need';
import { getBroker } from '../broker';
import { labEnabled } from '../lab';
import { noSuchPage } from '../missing';
import { actor, type Caller } from './caller';

export function guardedLab(caller: Caller) {
  const may = (permission: 'view' | 'lab') => {
    if (!labEnabled()) throw noSuchPage(paths.lab());
    needEverywhere(caller.principal, permission);
  };
  return {
    async state(): Promise<LabState> {
      may('view');
      return getBroker().lab.state();
    },
    async save(settings: LabSettings): Promise<LabState> {
      may('lab');
      await getBroker().lab.save(settings, actor(caller));
      return getBroker().lab.state();
    },
    async burst(jobs: number): Promise<void> {
      may('lab');
      if (!(await getBroker().lab.requestBurst(jobs, actor(caller))))
        throw new RedriveError(
          'LIMIT_REACHED',
          'Fifty bursts wait already: no demo worker takes them up. Start one with npm run worker.',
        );
    },
    async reclaim(): Promise<number> {
      may('lab');
      let reclaimed = 0;
      for (const queue of Object.keys(LAB_QUEUES)) {
        const { returned, died } = await getBroker().reclaim(queue, undefined, actor(caller));
        reclaimed += returned + died;
      }
      return reclaimed;
    },
  };
}
