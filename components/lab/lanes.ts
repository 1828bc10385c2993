/** Which job stands in which lane. A job keeps its lane while it runs, so that nothing jumps when a neighbour ends. */
export function assignLanes(
  before: readonly (string | null)[],
  jobIds: readonly string[],
  size: number,
): (string | null)[] {
  const present = new Set(jobIds);
  const lanes = Array.from({ length: Math.max(size, jobIds.length) }, (_, i) => {
    const id = before[i] ?? null;
    return id !== null && present.has(id) ? id : null;
  });
  // A lane beyond the new size gives its job to a free one.
  const placed = new Set(lanes);
  for (const id of jobIds) {
    if (placed.has(id)) continue;
    const free = lanes.indexOf(null);
    if (free >= 0) lanes[free] = id;
  }
  return lanes;
}

export const sameLanes = (a: readonly (string | null)[], b: readonly (string | null)[]): boolean =>
  a.length === b.length && a.every((id, i) => id === b[i]);
