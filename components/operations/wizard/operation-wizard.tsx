'use client';
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { FormProvider, useForm } from 'react-hook-form';
import { announceStart } from '@/components/operations/operation-toasts';
import { CopyLink, CopyRequest } from '@/components/shared/requests/copy-request';
import { useOpenPage } from '@/components/shared/use-open-page';
import { cn } from '@/components/ui/cn';
import { Button } from '@/components/ui/controls/button';
import { Dialog, DialogContent } from '@/components/ui/overlays/dialog';
import { startCommand } from '@/lib/browser/api/start-command';
import type { Filled } from '@/lib/browser/dialog-link';
import { links } from '@/lib/browser/links';
import { type OperationWizardRequest, WIZARD_DIALOG } from '@/lib/browser/operation-wizard-context';
import { keepForReload } from '@/lib/browser/reload-keeper';
import { useStartOperation } from '@/lib/browser/use-operations';
import type { Operation } from '@/lib/contract/operations/operation';
import { DESTRUCTIVE } from '@/lib/contract/operations/operation-kinds';
import { KIND_LABELS, scopeLabel } from '@/lib/contract/operations/operation-text';
import { ConfirmStep, ExportDownload } from './confirm-step';
import { payloadPaths } from './patch-draft';
import { EditDiffs } from './patch-editor';
import { startLabel } from './plan-sentences';
import { PreviewStep } from './preview-step';
import { RateStep } from './rate-step';
import { ScopeStep } from './scope-step';
import { useOperationPreview } from './use-operation-preview';
import {
  createDraft,
  firstStep,
  readConfirm,
  readExecutionSettings,
  readScope,
  type StepName,
  type WizardDraft,
  wizardSteps,
} from './wizard-draft';
import { toWizardLink, withLink } from './wizard-link';
import { STEP_LABELS, WizardStepper } from './wizard-stepper';

export { readFilled } from '@/lib/browser/dialog-link';
export { readWizardLink } from './wizard-link';

type WizardProps = OperationWizardRequest & { filled?: Filled; onClose: () => void };

/** Scope → preview → rate → confirm. Nothing is changed before the last button. Mount it to open it. */
export function OperationWizard(props: WizardProps) {
  return (
    <Dialog open onOpenChange={(open) => !open && props.onClose()}>
      <Wizard key={JSON.stringify([props.kind, props.scope])} {...props} />
    </Dialog>
  );
}

function Wizard({ kind, scope, title, filled, onClose, onStarted }: WizardProps) {
  const openPage = useOpenPage();
  const values = useForm<WizardDraft>({ defaultValues: withLink(createDraft(kind, scope), filled) });
  const draft = values.watch();
  const [step, setStep] = useState<StepName>(() => firstStep(kind, scope));
  const [showErrors, setShowErrors] = useState(false);
  const [exported, setExported] = useState<Operation | null>(null);
  const start = useStartOperation();
  const form = useId();
  const steps = wizardSteps(kind, scope);
  const labels =
    kind === 'edit' && scope?.jobs?.length === 1 ? { ...STEP_LABELS, scope: 'Edit' } : STEP_LABELS;

  const { request, problems } = readScope(draft);
  // While the scope is being entered, only an edit has a preview.
  const needsPreview = step !== 'scope' || kind === 'edit';
  const previewState = useOperationPreview(needsPreview ? request : null, step === 'scope' ? 600 : 0);
  const { preview } = previewState;
  const { settings, problems: executionProblems } = readExecutionSettings(draft, preview);
  const confirmed = preview && settings ? readConfirm(draft, preview, settings) : null;
  const paths = useMemo(() => payloadPaths((preview?.diffs ?? []).map(({ before }) => before)), [preview]);

  const ready = preview !== null && (preview.count > 0 || preview.deletes !== null);
  const reachable = (name: StepName): boolean =>
    name === 'scope' ||
    (name === 'preview' && request !== null) ||
    (name === 'rate' && ready) ||
    (name === 'confirm' && ready && settings !== null);

  // A reload comes back to it, at its first step: the jobs may be others by then. Without payloads, as in a link.
  const kept = JSON.stringify(toWizardLink(draft));
  useEffect(() => keepForReload(WIZARD_DIALOG, exported ? null : JSON.parse(kept)), [kept, exported]);

  const body = useRef<HTMLFormElement>(null);
  const focusedStep = useRef(step);
  useEffect(() => {
    if (focusedStep.current === step) return;
    focusedStep.current = step;
    const first = body.current?.querySelector<HTMLElement>('[data-first]');
    (first ?? body.current?.querySelector<HTMLElement>('[data-heading]'))?.focus();
  }, [step]);

  const position = steps.indexOf(step);
  const back = steps[position - 1];
  const following = steps[position + 1];
  const canContinue = following !== undefined && reachable(following);
  // Enter before the preview is here counts as soon as it is.
  const [isDue, setDue] = useState(false);
  const isPreviewing = step === 'preview' && previewState.pending;
  if (isDue && !isPreviewing) {
    setDue(false);
    if (step === 'preview' && canContinue) setStep(following);
  }
  const next = () => {
    if (step === 'confirm') return confirm();
    if (canContinue) setStep(following);
    else if (isPreviewing) setDue(true);
    else setShowErrors(true);
  };
  const again = () => {
    start.reset();
    previewState.again();
    setStep('preview');
  };
  const confirm = () => {
    if (!confirmed || start.isPending) return;
    start.mutate(confirmed, {
      onSuccess: (operation) => {
        onStarted?.(operation);
        if (operation.kind === 'export') return setExported(operation);
        announceStart(operation, () => openPage(links.operation(operation.id)));
        onClose();
      },
    });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    // On a button, a link or a text of several lines Enter alone has a meaning of its own; a field submits by itself.
    const isOnControl = (event.target as Element).closest('a, button, input, textarea, select') !== null;
    if (isOnControl && !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    body.current?.requestSubmit();
  };

  const link = { filled: () => toWizardLink(values.getValues()), target: { dialog: WIZARD_DIALOG } };
  if (exported) return <ExportDownload operation={exported} onClose={onClose} />;
  return (
    <DialogContent
      size="lg"
      className="sm:h-[min(46rem,85dvh)]"
      title={title ?? KIND_LABELS[kind].verb}
      description={<span className="line-clamp-2 break-words first-letter:uppercase">{describe(draft)}</span>}
      // A click outside must not discard what was entered.
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
          {/* At the left in every step, where no other button takes their place under the pointer. On the last one the copy buttons take the free width once the request is complete. */}
          <span className={cn('flex gap-2', !(step === 'confirm' && confirmed) && 'mr-auto')}>
            <Button onClick={onClose}>Cancel</Button>
            {back && <Button onClick={() => setStep(back)}>Back</Button>}
          </span>
          {step === 'confirm' && request && confirmed ? (
            <CopyRequest
              request={() => start.requestOf(confirmed)}
              command={() => startCommand(request, confirmed)}
              {...link}
            />
          ) : (
            <CopyLink {...link} />
          )}
          {step === 'preview' && steps.includes('rate') && (
            <Button disabled={!reachable('confirm')} onClick={() => setStep('confirm')}>
              Skip to confirm
            </Button>
          )}
          <Button
            type="submit"
            form={form}
            variant={step === 'confirm' && DESTRUCTIVE.has(kind) ? 'danger' : 'primary'}
            disabled={step === 'confirm' ? confirmed === null : step !== 'scope' && !canContinue}
            pending={start.isPending || (step === 'preview' && previewState.pending)}
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
        <FormProvider {...values}>
          <WizardStepper labels={labels} steps={steps} current={step} reachable={reachable} onGo={setStep} />
          <h3 data-heading tabIndex={-1} className="sr-only">
            Step {position + 1} of {steps.length}: {labels[step]}
          </h3>
          {step === 'scope' && (
            <ScopeStep
              problems={problems}
              showErrors={showErrors}
              paths={paths}
              below={preview?.diffs && <EditDiffs diffs={preview.diffs} />}
            />
          )}
          {step === 'preview' && <PreviewStep state={previewState} />}
          {step === 'rate' && preview && <RateStep preview={preview} problems={executionProblems} />}
          {step === 'confirm' && preview && settings && (
            <ConfirmStep preview={preview} settings={settings} error={start.error} onAgain={again} />
          )}
        </FormProvider>
      </form>
    </DialogContent>
  );
}

const describe = ({ kind, state, q, queue, jobs }: WizardDraft): string =>
  scopeLabel({ state, ...(jobs ? { jobs } : { q }), ...(queue && !jobs ? { queue } : {}) }, kind);
