/** Warning levels of queues. */
import type { Verdict } from '@/lib/contract/queues/queue-schemas';

export type Level = Verdict['level'];
