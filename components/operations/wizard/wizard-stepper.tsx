'use client';
import { cn } from '@/components/ui/cn';
import { Check } from '@/components/ui/icons';
import type { StepName } from './wizard-draft';

export const STEP_LABELS: Readonly<Record<StepName, string>> = {
  scope: 'Scope',
  preview: 'Preview',
  rate: 'Rate',
  confirm: 'Confirm',
};

/** The steps: back to any, forward as far as the entered values allow. */
export function WizardStepper({
  labels,
  steps,
  current,
  reachable,
  onGo,
}: {
  labels: Readonly<Record<StepName, string>>;
  steps: readonly StepName[];
  current: StepName;
  reachable: (step: StepName) => boolean;
  onGo: (step: StepName) => void;
}) {
  const position = steps.indexOf(current);
  return (
    <nav aria-label="Steps">
      <ol className="flex flex-wrap gap-1">
        {steps.map((step, i) => (
          <li key={step}>
            <button
              type="button"
              disabled={!reachable(step)}
              aria-current={step === current ? 'step' : undefined}
              onClick={() => onGo(step)}
              className={cn(
                'inline-flex h-6 items-center gap-1.5 rounded-full px-2 text-xs enabled:hover:bg-hover disabled:opacity-50',
                step === current ? 'bg-accent/11 font-medium text-accent' : 'text-muted',
              )}
            >
              {i < position ? (
                <Check aria-hidden className="size-3" />
              ) : (
                <span aria-hidden className="text-2xs">
                  {i + 1}
                </span>
              )}
              {labels[step]}
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}
