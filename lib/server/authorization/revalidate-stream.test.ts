/** An answer that takes long breaks off soon after whoever asked may not have it any more. */
import { beforeEach, expect, test, vi } from 'vitest';
import type { Grant } from '@/lib/contract/access/grant-scopes';
import { RedriveError } from '@/lib/contract/redrive-error';
import { ANONYMOUS, type Principal } from '../authentication/principal';
import { revalidateStream } from './revalidate-stream';

let now: () => Promise<Principal>;
vi.mock('../authentication/resolve-principal', () => ({ revalidatePrincipal: () => now() }));
let clockMs = 0;
beforeEach(() => {
  vi.spyOn(performance, 'now').mockImplementation(() => clockMs);
});

const holding = (queues: string[]): Principal => {
  const grant: Grant = { role: 'viewer', queues, tenants: null };
  return { ...ANONYMOUS, id: 'local:ann', grants: [[grant]] };
};
/** A piece every two seconds. */
async function* pieces(): AsyncGenerator<number, void> {
  for (let i = 0; i < 10; i += 1) {
    clockMs += 2_000;
    yield i;
  }
}
async function read(began: Principal): Promise<number[]> {
  const seen: number[] = [];
  for await (const piece of revalidateStream(began, 'view', pieces())) seen.push(piece);
  return seen;
}

test('who stays who they were reads all of it, and is asked about every few seconds, not for each piece', async () => {
  let asked = 0;
  now = async () => {
    asked += 1;
    return holding(['*']);
  };
  expect(await read(holding(['a', 'b']))).toHaveLength(10);
  expect(asked).toBe(3);
});

test.each<[string, () => Promise<Principal>, string]>([
  ['narrowed', async () => holding(['a']), 'FORBIDDEN'],
  ['without any right', async () => holding(['nowhere']), 'FORBIDDEN'],
  [
    'signed out',
    async () => {
      throw new RedriveError('UNAUTHENTICATED', 'Your session has ended.');
    },
    'UNAUTHENTICATED',
  ],
])('who is %s meanwhile reads no further', async (_, become, code) => {
  now = become;
  const seen: number[] = [];
  const reading = async () => {
    for await (const piece of revalidateStream(holding(['a', 'b']), 'view', pieces())) seen.push(piece);
  };
  await expect(reading()).rejects.toMatchObject({ code });
  expect(seen).toEqual([0, 1]);
});
