import { CircleAlert, RotateCw } from '@/components/ui/icons';
import { Button } from './controls/button';

/** Says what could not be shown and why, with a retry button. */
export function ErrorState({
  title,
  message,
  reference,
  onRetry,
  retrying,
  page,
}: {
  title: React.ReactNode;
  message?: React.ReactNode;
  /** An id that finds this failure in the server's log. */
  reference?: string;
  onRetry?: () => void;
  retrying?: boolean;
  /** It is all the page shows, so its title is the page's heading. */
  page?: boolean;
}) {
  const Title = page ? 'h1' : 'p';
  return (
    <div role="alert" className="flex flex-col items-center justify-center gap-1 px-4 py-10 text-center">
      <CircleAlert aria-hidden className="mb-1 size-5 text-bad" />
      <Title className="font-medium text-fg">{title}</Title>
      {message && <p className="max-w-prose break-words text-muted text-sm">{message}</p>}
      {reference && (
        <p translate="no" className="font-mono text-faint text-xs">
          Reference {reference}
        </p>
      )}
      {onRetry && (
        <Button className="mt-3" onClick={onRetry} pending={retrying}>
          <RotateCw aria-hidden />
          Try again
        </Button>
      )}
    </div>
  );
}
