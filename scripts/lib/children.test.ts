import { afterAll, describe, expect, it } from 'vitest';
import { until } from '@/testing/poll';
import { expectWithin } from '@/testing/time-limit';
import { isAlive, Processes } from '@/testing/worlds/processes';
import { startTime } from './dir-lock.mjs';

const processes = new Processes();
afterAll(() => processes.stopAll());

/** Prints its child's process id, and neither of the two ends by itself. */
const FAMILY = `
const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
console.log('child ' + child.pid);
setInterval(() => {}, 1000);`;
const STUBBORN = "process.on('SIGTERM', () => {}); console.log('up'); setInterval(() => {}, 1000)";

const childOf = async (parent: ReturnType<Processes['node']>) =>
  Number((await parent.prints(/child (\d+)/))[1]);
const gone = (pid: number) => until(() => startTime(pid) === undefined, { what: `process ${pid} to end` });

describe('child processes', () => {
  it('takes grandchildren along when it stops', async () => {
    const parent = processes.node(['-e', FAMILY]);
    const pid = await childOf(parent);
    expect((await parent.stop()).signal).toBe('SIGTERM');
    await gone(pid);
  });

  it('leaves orphans for a test to watch, until the end', async () => {
    const parent = processes.node(['-e', FAMILY]);
    const pid = await childOf(parent);
    parent.kill();
    await parent.exited;
    expect(isAlive(pid)).toBe(true);
    await parent.stop();
    await gone(pid);
  });

  it('kills what does not listen, after its grace', async () => {
    const stubborn = processes.node(['-e', STUBBORN]);
    await stubborn.prints(/up/);
    const start = Date.now();
    expect((await stubborn.stop({ graceMs: 200 })).signal).toBe('SIGKILL');
    await expectWithin(Date.now() - start, 2_000);
  });

  it('says that a program is not there', async () => {
    const none = processes.spawn('/no/such/program', []);
    expect((await none.exited).error?.message).toMatch(/ENOENT/);
  });

  it('ends everything when its owner is killed outright', async () => {
    const code = `
      const { startChild } = await import(${JSON.stringify(new URL('./children.mjs', import.meta.url).href)});
      const child = startChild(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
      console.log('child ' + child.pid);`;
    const owner = processes.node(['--input-type=module', '-e', code]);
    const pid = await childOf(owner);
    owner.kill('SIGKILL');
    await gone(pid);
  });
});
