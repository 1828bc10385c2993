'use client';
import { useRouter } from 'next/navigation';
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { toast } from 'sonner';
import { Button } from '@/components/ui/button';
import { Dialog, DialogContent } from '@/components/ui/dialog';
import { links } from '@/lib/client/links';
import { useStartOperation } from '@/lib/client/use-operations';
import { KIND_WORDS, scopeWords } from '@/lib/contract/operation-words';
import { DESTRUCTIVE, type Operation, type OperationKind, type Scope } from '@/lib/contract/operations';
import { ConfirmStep } from './confirm-step';
import { Diffs } from './diffs';
import {
  type Draft,
  draftOf,
  firstStep,
  readConfirm,
  readScope,
  readVelocity,
  type StepName,
  stepsOf,
} from './draft';
import { ExportReady } from './export-ready';
import { PaceStep } from './pace-step';
import { payloadPaths } from './payload-paths';
import { PreviewStep } from './preview-step';
import { ScopeStep } from './scope-step';
import { STEP_LABELS, Stepper } from './stepper';
import { usePreviewOf } from './use-preview-of';
import { startLabel } from './words';

export interface OperationWizardProps {
  open: boolean;
  onClose: () => void;
  kind: OperationKind;
  /** Null: it asks which jobs. */
  scope: Scope | null;
  title?: string;
  /** After it was recorded; the wizard closes by itself. */
  onStarted?: (operation: Operation) => void;
}

/** What → preview → pace → confirm. Nothing is changed before the last button. */
export function OperationWizard({ open, onClose, ...rest }: OperationWizardProps) {
  return (
    <Dialog open={open} onOpenChange={(next) => !next && onClose()}>
      {open && <Wizard key={JSON.stringify([rest.kind, rest.scope])} onClose={onClose} {...rest} />}
    </Dialog>
  );
}

function Wizard({ kind, scope, title, onClose, onStarted }: Omit<OperationWizardProps, 'open'>) {
  const router = useRouter();
  const [draft, setDraft] = useState<Draft>(() => draftOf(kind, scope));
  const [step, setStep] = useState<StepName>(() => firstStep(kind, scope));
  const [told, setTold] = useState(false);
  const [exported, setExported] = useState<Operation | null>(null);
  const start = useStartOperation();
  const form = useId();
  const steps = stepsOf(kind);
  const change = (patch: Partial<Draft>) => setDraft((before) => ({ ...before, ...patch }));

  const { request, problems } = readScope(draft);
  // While the question is still being written, only an edit shows its effect.
  const wanted = step !== 'scope' || kind === 'edit';
  const previewed = usePreviewOf(wanted ? request : null, step === 'scope' ? 600 : 0);
  const { preview } = previewed;
  const { velocity, problems: paceProblems } = readVelocity(draft, preview);
  const confirmed = preview && velocity ? readConfirm(draft, preview, velocity) : null;
  const paths = useMemo(() => payloadPaths((preview?.diffs ?? []).map(({ before }) => before)), [preview]);

  const ready = preview !== null && (preview.count > 0 || preview.deletes !== null);
  const reachable = (name: StepName): boolean =>
    name === 'scope' ||
    (name === 'preview' && request !== null) ||
    (name === 'pace' && ready) ||
    (name === 'confirm' && ready && velocity !== null);

  const body = useRef<HTMLFormElement>(null);
  const shown = useRef(step);
  useEffect(() => {
    if (shown.current === step) return;
    shown.current = step;
    const first = body.current?.querySelector<HTMLElement>('[data-first]');
    (first ?? body.current?.querySelector<HTMLElement>('[data-heading]'))?.focus();
  }, [step]);

  const next = () => {
    const after = steps[steps.indexOf(step) + 1];
    if (step === 'confirm') return confirm();
    if (after && reachable(after)) setStep(after);
    else setTold(true);
  };
  const back = steps[steps.indexOf(step) - 1];
  const again = () => {
    start.reset();
    previewed.again();
    setStep('preview');
  };
  const confirm = () => {
    if (!confirmed || start.isPending) return;
    start.mutate(confirmed, {
      onSuccess: (operation) => {
        onStarted?.(operation);
        if (operation.kind === 'export') return setExported(operation);
        announce(operation, () => router.push(links.operation(operation.id) as never));
        onClose();
      },
    });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    body.current?.requestSubmit();
  };

  if (exported) return <ExportReady operation={exported} onClose={onClose} />;
  return (
    <DialogContent
      size="lg"
      className="sm:h-[min(46rem,85dvh)]"
      title={title ?? KIND_WORDS[kind].verb}
      description={<span className="line-clamp-2 break-words first-letter:uppercase">{describe(draft)}</span>}
      // A stray click beside it must not throw away what was entered.
      onInteractOutside={(event) => event.preventDefault()}
      onKeyDown={onKeyDown}
      // Escape closes an open list of suggestions first.
      onEscapeKeyDown={(event) => {
        if (document.activeElement?.getAttribute('aria-expanded') === 'true') event.preventDefault();
      }}
      onOpenAutoFocus={(event) => {
        event.preventDefault();
        body.current?.querySelector<HTMLElement>('[data-heading]')?.focus();
      }}
      footer={
        <>
          {back && (
            <Button className="mr-auto" onClick={() => setStep(back)}>
              Back
            </Button>
          )}
          <Button onClick={onClose}>Cancel</Button>
          {step === 'preview' && steps.includes('pace') && (
            <Button disabled={!reachable('confirm')} onClick={() => setStep('confirm')}>
              Skip to confirm
            </Button>
          )}
          <Button
            type="submit"
            form={form}
            variant={step === 'confirm' && DESTRUCTIVE.has(kind) ? 'danger' : 'primary'}
            disabled={
              step === 'confirm' ? confirmed === null : step !== 'scope' && !canGoOn(step, steps, reachable)
            }
            pending={start.isPending || (step === 'preview' && previewed.pending)}
          >
            {step === 'confirm' && preview ? startLabel(preview) : 'Continue'}
          </Button>
        </>
      }
    >
      <form
        id={form}
        ref={body}
        noValidate
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          next();
        }}
      >
        <Stepper steps={steps} current={step} reachable={reachable} onGo={setStep} />
        <h3 data-heading tabIndex={-1} className="sr-only">
          Step {steps.indexOf(step) + 1} of {steps.length}: {STEP_LABELS[step]}
        </h3>
        {step === 'scope' && (
          <ScopeStep
            draft={draft}
            problems={problems}
            told={told}
            paths={paths}
            below={preview?.diffs && <Diffs diffs={preview.diffs} />}
            onChange={change}
          />
        )}
        {step === 'preview' && <PreviewStep draft={draft} previewed={previewed} onChange={change} />}
        {step === 'pace' && preview && (
          <PaceStep draft={draft} preview={preview} problems={paceProblems} onChange={change} />
        )}
        {step === 'confirm' && preview && velocity && (
          <ConfirmStep
            draft={draft}
            preview={preview}
            velocity={velocity}
            error={start.error}
            onAgain={again}
            onChange={change}
          />
        )}
      </form>
    </DialogContent>
  );
}

const canGoOn = (
  step: StepName,
  steps: readonly StepName[],
  reachable: (name: StepName) => boolean,
): boolean => {
  const after = steps[steps.indexOf(step) + 1];
  return after === undefined || reachable(after);
};

const describe = ({ kind, state, q, queue, jobs }: Draft): string =>
  scopeWords({ state, ...(jobs ? { jobs } : { q }), ...(queue && !jobs ? { queue } : {}) }, kind);

function announce(operation: Operation, open: () => void): void {
  const verb = KIND_WORDS[operation.kind].verb;
  const waiting = operation.status === 'awaiting-approval';
  toast.success(waiting ? `${verb} awaits approval` : `${verb} started`, {
    description: waiting ? 'Somebody else has to approve it first.' : undefined,
    action: { label: 'Open', onClick: open },
  });
}
