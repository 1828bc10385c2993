import { RedisAge, RedisPage } from '@/components/redis/redis-page';
import { PageHeader } from '@/components/shell/page-header';
import { Prefetched } from '@/lib/browser/api/hydration';
import { keys } from '@/lib/browser/api/query-keys';
import { prefetchReply } from '../prefetch-reply';

export const metadata = { title: 'Redis' };

export default async function Page() {
  return (
    <Prefetched state={await prefetchReply(keys.redisChecks(), ({ redis }) => redis.checks())}>
      <PageHeader title="Redis" age={<RedisAge />} />
      <RedisPage />
    </Prefetched>
  );
}
