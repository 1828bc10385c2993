/** What scripts really do inside Redis, by its own account (MONITOR): how many jobs each names, and by how many commands. */
import { SCRIPTS, type ScriptName } from '@/lib/broker/lua.generated';
import { until } from '../poll';
import { startMonitor } from '../worlds/monitor';
import type { World } from '../worlds/world';

export interface ScriptWork {
  calls: number;
  /** Of the call that did most. */
  commands: number;
  jobs: number;
}
const JOB_ID = /(?:^|\|)(j\d{6})$/;
const NAMES = new Map<string, ScriptName>(
  (Object.keys(SCRIPTS) as ScriptName[]).map((name) => [SCRIPTS[name].sha, name]),
);

/** Jobs are recognised by ids such as `j000123`, as `jobs()` makes them. */
export async function watchScripts(world: World): Promise<{ stop(): Promise<Map<ScriptName, ScriptWork>> }> {
  // Known beforehand, so that each is called by its hash.
  for (const { lua } of Object.values(SCRIPTS)) await world.redis.script('LOAD', lua);
  const monitor = await startMonitor(world.server);
  const found = new Map<ScriptName, ScriptWork>();
  let under: { name: ScriptName; commands: number; jobs: Set<string> } | null = null;
  let ended = false;
  const close = () => {
    if (!under) return;
    const work = found.get(under.name) ?? { calls: 0, commands: 0, jobs: 0 };
    work.calls += 1;
    work.commands = Math.max(work.commands, under.commands);
    work.jobs = Math.max(work.jobs, under.jobs.size);
    found.set(under.name, work);
    under = null;
  };
  monitor.on('monitor', (_: string, args: string[], source: string) => {
    if (source !== 'lua') {
      close();
      if (args[0]?.toLowerCase() === 'echo' && args[1] === 'the end') ended = true;
      const [command, script = ''] = args;
      const name = command?.toLowerCase() === 'evalsha' ? NAMES.get(script) : undefined;
      if (name) under = { name, commands: 0, jobs: new Set() };
    } else if (under) {
      under.commands += 1;
      for (const arg of args) {
        const id = JOB_ID.exec(arg)?.[1];
        if (id) under.jobs.add(id);
      }
    }
  });
  return {
    async stop() {
      await world.redis.echo('the end');
      await until(() => ended, { what: 'MONITOR to have told everything', timeoutMs: 20_000 });
      monitor.disconnect();
      return found;
    },
  };
}
