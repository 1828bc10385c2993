/** The application's own store. It could be any that has transactions; here it is a hash of balances in Redis. */
import { Redis } from 'ioredis';

export interface Ledger {
  /** Books a transfer, unless one of this id is booked already: both or neither. True: it was booked just now. */
  book(id: string, from: string, to: string, cents: number): Promise<boolean>;
  close(): void;
}

/**
 * The mark and the effect are one transaction, so no crash can come between them. In SQL it would read:
 *
 *   BEGIN;
 *   INSERT INTO booked (id) VALUES ($1) ON CONFLICT DO NOTHING;   -- 0 rows: an earlier run was here, COMMIT and return
 *   UPDATE accounts SET cents = cents - $4 WHERE name = $2;
 *   UPDATE accounts SET cents = cents + $4 WHERE name = $3;
 *   COMMIT;
 */
const BOOK = `
if redis.call('HSETNX', KEYS[1], ARGV[1], '1') == 0 then return 0 end
redis.call('HINCRBY', KEYS[2], ARGV[2], -ARGV[4])
redis.call('HINCRBY', KEYS[2], ARGV[3], ARGV[4])
return 1`;

export function redisLedger(url: string): Ledger {
  const redis = new Redis(url);
  return {
    async book(id, from, to, cents) {
      return (
        (await redis.eval(BOOK, 2, 'bank:{ledger}:booked', 'bank:{ledger}:accounts', id, from, to, cents)) ===
        1
      );
    },
    close: () => redis.disconnect(),
  };
}
