/** Runs in the browser before anything else of ours: what libraries must know of the page's content security policy, and what strangers may do to it. */
import { allowForeignNodes } from '@/lib/device/foreign-nodes';

const page = globalThis as {
  __zod_globalConfig?: { jitless?: boolean };
  __webpack_nonce__?: string;
};

// zod would try whether it may make functions from text. It may not, and each try is reported as a break-in.
page.__zod_globalConfig = { ...page.__zod_globalConfig, jitless: true };

// Dialogs write a style sheet into the page while they are open, and look here for what lets it in.
const nonce = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce;
if (nonce) page.__webpack_nonce__ = nonce;

allowForeignNodes();
