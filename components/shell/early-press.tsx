/**
 * A button of the HTML can be pressed before the page's script answers. The last such press is made again as soon as the page answers:
 * on a slow phone or a busy machine it would be lost without a sign. Links work without script.
 */

declare global {
  interface Window {
    /** Called once, when the page answers. */
    pressAgain?: () => void;
  }
}

/** Runs before the page's script, as text in the page. */
function rememberPress(): void {
  let pressed: HTMLElement | null = null;
  const remember = ({ target }: Event) => {
    // React makes a press wait for the script of its part once it listens; it would count twice.
    if (Object.keys(document).some((key) => key.startsWith('_reactListening'))) return;
    pressed = target instanceof Element ? target.closest<HTMLElement>('button[type=button]') : null;
  };
  document.addEventListener('click', remember, true);
  window.pressAgain = () => {
    document.removeEventListener('click', remember, true);
    if (pressed?.isConnected) pressed.click();
    pressed = null;
  };
}

/** Stands before what can be pressed, in HTML alone: a page begins with no more script for it. `nonce`: of the response. */
export function EarlyPress({ nonce }: { nonce: string | undefined }) {
  return (
    <script
      nonce={nonce}
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: a script of ours, without input
      dangerouslySetInnerHTML={{ __html: `(${rememberPress})()` }}
    />
  );
}
