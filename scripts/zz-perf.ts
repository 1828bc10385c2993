import { startRedis } from '/work/main/testing/redis';
import { createBroker } from '/work/main/lib/broker';
import { createKeys } from '/work/main/lib/broker/keys';
import { SCRIPTS } from '/work/main/lib/broker/lua.generated';
const server = await startRedis();
const redis = server.connect();
const broker = createBroker({ url: server.path });
const ex = SCRIPTS.exchange;
const K = (n: string) => `KEYS[${(ex.keys as readonly string[]).indexOf(n) + 1}]`;
const base = ex.lua as string;
const N = 3000;
async function time(label: string, lua: string) {
  const sha = String(await redis.script('LOAD', lua));
  const out: number[] = [];
  for (let r = 0; r < 4; r++) {
    await redis.flushall();
    const q = 'orders';
    const keys = createKeys('rd');
    const ids = Array.from({ length: N }, (_, i) => `j${String(i).padStart(19, '0')}`);
    for (let i = 0; i < N; i += 500) await broker.enqueueMany(q, ids.slice(i, i + 500).map((jobId) => ({ jobId, jobType: 'email.send', tenantId: 'acme', payload: 'x'.repeat(200) })));
    await redis.script('LOAD', lua);
    const kk = ex.keys.map((k) => keys.column(q, k as never));
    await redis.config('RESETSTAT');
    for (let i = 0; i < N; i += 500) {
      const p = redis.pipeline();
      for (let j = i; j < i + 500; j++) p.evalsha(sha, kk.length, ...kk, '', '1', '15000', 'worker-1', 'nonce12345678901', ...(j ? [ids[j - 1]!, '1-nonce12345678901', '"ok"'] : []));
      const res = await p.exec();
      for (const [e] of res ?? []) if (e) { console.log(label, String(e)); return; }
    }
    const info = String(await redis.info('commandstats'));
    const ev = info.match(/cmdstat_evalsha:calls=(\d+),usec=(\d+)/);
    out.push(Number(ev?.[2]) / Number(ev?.[1]));
  }
  console.log(label.padEnd(50), Math.min(...out).toFixed(2), 'us');
}
const without = (label: string, from: string | RegExp, to = '') => { const l = base.replace(from as never, () => to); if (l === base) console.log('NO CHANGE', label); return time(label, l); };
await time('whole', base);
await without('no XADD', /redis\.call\('XADD'[\s\S]*?\)\nend/, 'end');
await without('no book_tallies', 'book_tallies()\nreturn', 'return');
await without('no trim', 'trim_history()\nbook', 'book');
await without('no wake', /local function wake\(\)\n.*\nend/, 'local function wake() end');
await without('no promote', /local _, nextAt = promote_due\(100\)/, 'local nextAt = 0');
await without('no completed/results', /redis\.call\('ZADD', KEYS\[\d+\], unpack\(completed\)\)\nredis\.call\('HSET', KEYS\[\d+\], unpack\(outcomes\)\)/);
await without('claims match simple', /string\.match\(row, CLAIM\)/, "'1', now, '1', '0', 300, 40, 'acme', ''");
await without('no RUN_BUCKETS', /local RUN_BUCKETS = \{.*\}/, 'local RUN_BUCKETS = nil');
await without('no totals run/attempt', /total\('run:'.*\n.*total\('attempt:'.*\n/, '');
await without('return nothing', 'return { replies, claimed }', 'return 0');
broker.close(); await server.stop();
