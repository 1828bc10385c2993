/** The address of a trace in another tool. Pure. */

/** @param template an http address that contains `{traceId}`; null: none is set */
export const traceLink = (template: string | null, traceId: string | null): string | null =>
  template === null || traceId === null
    ? null
    : template.replaceAll('{traceId}', encodeURIComponent(traceId));
