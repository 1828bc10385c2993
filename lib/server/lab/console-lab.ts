import { openLab } from '@/lib/lab/open-lab';
import { brokerOptions } from '../console-broker';
import { singleton } from '../singleton';

/** The one lab of this process, on a connection of its own: opened only where the lab is on. */
export const getLab = singleton('lab', () => openLab(brokerOptions()));
