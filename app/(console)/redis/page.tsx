import { RedisAge, RedisPage } from '@/components/redis/redis-page';
import { PageHeader } from '@/components/shell/page-header';

export const metadata = { title: 'Redis' };

export default function Page() {
  return (
    <>
      <PageHeader title="Redis" age={<RedisAge />} />
      <RedisPage />
    </>
  );
}
