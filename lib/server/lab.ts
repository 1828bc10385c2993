import { RedriveError } from '@/lib/contract/errors';
import { labEnabled } from './broker';

/** @throws RedriveError LAB_OFF */
export function requireLab(): void {
  if (!labEnabled())
    throw new RedriveError(
      'LAB_OFF',
      'The lab is switched off on this console. Start it with REDRIVE_LAB=on to use the demo worker.',
    );
}
