/** The faults demo jobs meet: typed as a good handler would type them, in words a real provider would use. */
import { PermanentError, RateLimitedError, RetryableError } from '@/lib/worker';
import type { Kind } from './demo-kinds';
import { pickWeighted, randomInteger } from './random-choice';

interface Provider {
  name: string;
  host: string;
  call: string;
  badRequest: string;
  denied: string;
  own: (random: () => number) => Error;
}

const PROVIDERS: Readonly<Record<Kind, Provider>> = {
  'email.send': {
    name: 'The mail provider',
    host: 'api.mail.example',
    call: 'POST /v3/messages',
    badRequest: 'the template has no subject in this language',
    denied: 'this key may not send from billing@',
    own: () => new PermanentError('SMTP_550', '550 5.1.1 The mailbox does not exist.'),
  },
  'webhook.deliver': {
    name: 'The receiver',
    host: 'hooks.customer.example',
    call: 'POST /v2/events',
    badRequest: 'unknown event type',
    denied: 'the signature was not accepted',
    own: () =>
      new PermanentError(
        'HTTP_410',
        'The receiver answered 410 Gone: this endpoint was removed by its owner.',
      ),
  },
  'thumbnail.render': {
    name: 'The object store',
    host: 'eu-1.objects.example',
    call: 'GET /uploads',
    badRequest: 'the key is not valid',
    denied: 'the bucket policy does not allow GetObject',
    own: () =>
      new PermanentError(
        'IMAGE_CORRUPT',
        'The image cannot be decoded: premature end of JPEG data after 48,213 bytes.',
      ),
  },
  'invoice.issue': {
    name: 'The ledger',
    host: 'ledger.internal.example',
    call: 'POST /invoices',
    badRequest: 'the billing address has no country',
    denied: 'the period is closed for posting',
    own: (random) =>
      new RetryableError(
        'LEDGER_LOCKED',
        `The account is locked by another posting (lock ${randomInteger(1_000, 9_999, random)}).`,
      ),
  },
};

function answered503(at: Provider): Error {
  return new RetryableError(
    'HTTP_503',
    `${at.name} answered 503 Service Unavailable to ${at.call}: upstream connect error, reset before headers.`,
  );
}

function answered429(at: Provider, random: () => number): Error {
  const seconds = randomInteger(2, 15, random);
  return new RateLimitedError(
    seconds * 1_000,
    `${at.name} answered 429 Too Many Requests to ${at.call}: retry after ${seconds} s.`,
    'HTTP_429',
  );
}

function timedOut(at: Provider, random: () => number): Error {
  const cause = new Error(`connect ETIMEDOUT 203.0.113.${randomInteger(1, 254, random)}:443`);
  return new RetryableError(
    'ETIMEDOUT',
    `${at.name} (${at.host}) did not accept a connection within 3000 ms.`,
    { cause },
  );
}

function answered400(at: Provider): Error {
  return new PermanentError(
    'HTTP_400',
    `${at.name} answered 400 Bad Request to ${at.call}: ${at.badRequest}.`,
  );
}

function denied(at: Provider): Error {
  return new PermanentError('PERMISSION_DENIED', `${at.name} refused ${at.call}: ${at.denied}.`);
}

/** The unintended one: a programmer's mistake, thrown by the engine itself. */
function bug(): Error {
  return new TypeError("Cannot read properties of undefined (reading 'items')");
}

/** What a bad release does to every job of a kind: the same each time, and no retry helps. */
export const brokenRelease = (kind: Kind): Error =>
  new PermanentError(
    'HANDLER_BUG',
    `The handler of ${kind} cannot read 'amount' of undefined: the release that runs it is broken.`,
  );

/** What the service behind a kind answers while it is away: a later run may succeed. */
export const outageFault = (kind: Kind): Error => answered503(PROVIDERS[kind]);

const FAULTS: readonly { weight: number; make: (at: Provider, random: () => number) => Error }[] = [
  { weight: 34, make: answered503 },
  { weight: 18, make: answered429 },
  { weight: 22, make: timedOut },
  { weight: 9, make: answered400 },
  { weight: 5, make: denied },
  { weight: 9, make: (at, random) => at.own(random) },
  { weight: 3, make: bug },
];
const WEIGHTS = FAULTS.map(({ weight }) => weight);

/** The fault this run meets. */
export function faultFor(kind: Kind, random: () => number): Error {
  const fault = FAULTS[pickWeighted(WEIGHTS, random)];
  return fault ? fault.make(PROVIDERS[kind], random) : bug();
}
