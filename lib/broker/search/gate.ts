/** Lets a few callers through at a time: what reads rows must not take Redis for itself, however many search at once. */
export interface Gate {
  through<T>(work: () => Promise<T>): Promise<T>;
}

export function createGate(atOnce: number): Gate {
  let inside = 0;
  const waiting: (() => void)[] = [];
  return {
    async through(work) {
      // Whoever leaves hands his place on, so that no one who comes later slips in before.
      if (inside >= atOnce) await new Promise<void>((enter) => waiting.push(enter));
      else inside += 1;
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next) next();
        else inside -= 1;
      }
    },
  };
}
