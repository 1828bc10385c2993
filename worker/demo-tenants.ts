import { pickWeighted } from './random-choice';

/** Made-up companies, the busiest first. At most 50 are used. */
const NAMES =
  `acme globex initech umbrella hooli stark wayne cyberdyne tyrell wonka soylent vandelay dunder-mifflin
  pied-piper massive-dynamic oscorp lexcorp aperture black-mesa gringotts sterling-cooper prestige bluth duff oceanic
  virtucon weyland nakatomi monarch octan planet-express mom-corp los-pollos vehement rekall omni buy-n-large sirius
  kwik-e-mart central-perk paper-street spacely cogswell slate-rock gekko zorin yoyodyne veridian strickland buynlarge`
    .trim()
    .split(/\s+/);

/** Few tenants make most of the traffic, as everywhere: the n-th is n times rarer than the first. */
export function pickTenant(count: number, random: () => number): string {
  const names = NAMES.slice(0, count);
  return (
    names[
      pickWeighted(
        names.map((_, i) => 1 / (i + 1)),
        random,
      )
    ] ?? 'acme'
  );
}
