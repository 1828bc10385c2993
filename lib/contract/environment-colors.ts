/** Colours of the environment's name in the top bar: REDRIVE_ENVIRONMENT_COLOR. */
export const ENVIRONMENT_COLORS = ['gray', 'red', 'amber', 'green', 'blue', 'violet'] as const;

/** Which installation the user sees, such as `production`. */
export interface ConsoleEnvironment {
  readonly name: string;
  readonly color: (typeof ENVIRONMENT_COLORS)[number];
}
