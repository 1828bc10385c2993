'use client';
import { Dialog, DialogContent } from '@/components/ui/dialog';
import { Kbd } from '@/components/ui/kbd';

const KEYS: readonly (readonly [keys: readonly string[], what: string])[] = [
  [['/'], 'type a query'],
  [['v'], 'groups or rows'],
  [['j', 'k'], 'next, previous'],
  [['Enter'], 'open: a group’s rows, a job'],
  [['x'], 'select'],
  [['Shift', 'x'], 'select up to here'],
  [['r'], 're-drive what is selected, or this one'],
  [['Esc'], 'unselect; leave the query'],
  [['?'], 'this list'],
];

/** Every key of the page. */
export function KeyboardMap({
  open,
  onOpenChange,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent title="Keyboard" size="sm">
        <dl className="grid grid-cols-[max-content_1fr] items-center gap-x-4 gap-y-1.5 text-sm">
          {KEYS.map(([keys, what]) => (
            <div key={what} className="contents">
              <dt className="flex gap-1">
                {keys.map((key) => (
                  <Kbd key={key}>{key}</Kbd>
                ))}
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
      </DialogContent>
    </Dialog>
  );
}
