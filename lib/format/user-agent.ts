/** What a browser or program says of itself, in two words; pure. */
/** "Firefox on Linux", as far as the browser says; otherwise the beginning of what it said. */
export function describeUserAgent(agent: string): string {
  const browser = BROWSERS.find(([, pattern]) => pattern.test(agent))?.[0];
  const system = SYSTEMS.find(([, pattern]) => pattern.test(agent))?.[0];
  if (browser === undefined) return agent === '' ? 'unknown browser' : agent.slice(0, 40);
  return system === undefined ? browser : `${browser} on ${system}`;
}

/** The more particular first: Edge says Chrome as well, and everything says Safari. */
const BROWSERS: readonly (readonly [string, RegExp])[] = [
  ['Edge', /Edg\//],
  ['Opera', /OPR\//],
  ['Firefox', /Firefox\/|FxiOS\//],
  ['Chrome', /Chrome\/|CriOS\//],
  ['Safari', /Safari\//],
  ['curl', /^curl\//],
];
const SYSTEMS: readonly (readonly [string, RegExp])[] = [
  ['iOS', /iPhone|iPad/],
  ['Android', /Android/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X|Macintosh/],
  ['Linux', /Linux|X11/],
];
