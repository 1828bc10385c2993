'use client';
import { Kbd } from '@/components/ui/kbd';
import { Dialog, DialogContent } from '@/components/ui/overlays/dialog';
import { usePermits } from '@/lib/browser/access/use-permissions';
import { shortcutGroups } from './shortcuts';

/** Every shortcut there is, by where it works. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const may = usePermits();
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent title="Keyboard" size="md">
        <div className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
          {shortcutGroups(may).map(({ title, shortcuts }) => (
            <section key={title} className="sm:first:row-span-2">
              <h3 className="mb-1.5 font-medium text-faint text-xs">{title}</h3>
              <dl className="grid grid-cols-[max-content_1fr] items-center gap-x-4 gap-y-1.5 text-sm">
                {shortcuts.map(({ keys, what }) => (
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
            </section>
          ))}
        </div>
      </DialogContent>
    </Dialog>
  );
}
