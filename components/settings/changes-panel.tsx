'use client';
import { Panel } from '@/components/ui/panel';
import { RelativeTime } from '@/components/ui/relative-time';
import { Skeleton } from '@/components/ui/skeleton';
import { ColumnHeads, Table, TBody, Td, Tr } from '@/components/ui/table';
import { useChanges } from '@/lib/client/use-config';
import { visible } from '@/lib/format/text';
import { changeWords } from './change-words';

const COLUMNS = [
  { head: 'When', width: 92 },
  { head: 'Who', width: 130 },
  { head: 'What', width: undefined },
  { head: 'Why', width: '32%' },
] as const;

/** Who changed what about this queue, when and why: pauses, draining, settings, shards. */
export function ChangesPanel({ queue }: { queue: string }) {
  const { data, error } = useChanges(queue);
  return (
    <Panel title="Changes by people" flush aside="newest first">
      {error && !data && <p className="px-3 py-4 text-bad text-sm">{error.detail}</p>}
      {!data && !error && <Skeleton className="m-3 w-1/2" />}
      {data?.changes.length === 0 && (
        <p className="px-3 py-6 text-center text-muted text-sm">
          Nobody paused, drained or set anything here yet.
        </p>
      )}
      {data && data.changes.length > 0 && (
        <Table label="Changes by people" region="max-h-96" className="min-w-[44rem] table-fixed">
          <ColumnHeads columns={COLUMNS} />
          <TBody>
            {data.changes.map((change) => (
              <Tr key={change.id}>
                <Td className="py-1 align-top">
                  <RelativeTime at={change.at} className="text-muted" />
                </Td>
                <Td truncate title={visible(change.actor)} className="py-1 align-top">
                  {visible(change.actor)}
                </Td>
                <Td className="whitespace-normal py-1 align-top">
                  <What {...changeWords(change)} />
                </Td>
                <Td className="whitespace-normal py-1 align-top text-muted [overflow-wrap:anywhere]">
                  {change.reason ? `“${visible(change.reason)}”` : <span className="text-faint">–</span>}
                </Td>
              </Tr>
            ))}
          </TBody>
        </Table>
      )}
    </Panel>
  );
}

function What({ title, lines }: ReturnType<typeof changeWords>) {
  return (
    <>
      {visible(title)}
      {lines.length > 0 && (
        <ul className="text-xs">
          {lines.map(({ id, label, before, after }) => (
            <li key={id} className="[overflow-wrap:anywhere]">
              <span className="text-muted">{label}:</span> {visible(before)} <span aria-hidden>→</span>
              <span className="sr-only">became</span> {visible(after)}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
