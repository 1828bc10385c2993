/**
 * Runs in a page, before the page's own scripts: when its first data is on the screen, what moves, how long inputs take. It is sent as text,
 * with the selector of the data in `window.firstDataSelector`; page-load.ts reads `window.pageWatch`.
 */
{
  /** @type {{ firstDataMs: number | null, shifts: object[], events: object[] }} */
  const watch = { firstDataMs: null, shifts: [], events: [] };

  const observe = (/** @type {string} */ type, /** @type {(entry: any) => void} */ take) =>
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) take(entry);
    }).observe({ type, buffered: true, durationThreshold: 16 });
  // Chromium leaves out what follows an input by half a second.
  observe('layout-shift', ({ startTime, value, hadRecentInput }) => {
    if (!hadRecentInput) watch.shifts.push({ atMs: startTime, value });
  });
  // Others are not of a click, a tap or a key.
  observe('event', ({ startTime, duration, interactionId }) => {
    if (interactionId)
      watch.events.push({ atMs: startTime, durationMs: duration, interaction: interactionId });
  });

  const isShown = (/** @type {Element} */ element) =>
    element.getClientRects().length > 0 && element.querySelector('[data-slot=skeleton]') === null;
  const lookAgain = () => {
    const found = [...document.querySelectorAll(window.firstDataSelector)].some(isShown);
    if (!found) return requestAnimationFrame(lookAgain);
    // A frame callback comes before the paint, a message after it.
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      watch.firstDataMs = performance.now();
    };
    port2.postMessage(null);
  };
  requestAnimationFrame(lookAgain);

  window.pageWatch = () => {
    const [navigation] = performance.getEntriesByType('navigation');
    const [paint] = performance.getEntriesByName('first-contentful-paint');
    return {
      ...watch,
      nowMs: performance.now(),
      ttfbMs: navigation.responseStart,
      fcpMs: paint?.startTime ?? null,
      interactions: performance.interactionCount ?? null,
      resources: performance
        .getEntriesByType('resource')
        .map(({ name, startTime, transferSize, encodedBodySize }) => ({
          path: new URL(name).pathname,
          atMs: startTime,
          wireBytes: transferSize,
          bodyBytes: encodedBodySize,
        })),
    };
  };
}
