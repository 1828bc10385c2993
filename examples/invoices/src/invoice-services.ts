/** Stands in for the services a real application calls: a payment gateway, and a mail server with bad days. */
import { appendFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { RetryableError } from 'redrive';

export interface Gateway {
  charge(invoiceId: string, cents: number, signal: AbortSignal): Promise<{ receipt: string }>;
}
export interface Mailer {
  send(to: string, text: string, signal: AbortSignal): Promise<void>;
}

/** Each charge is a line in a file, so that charging twice would show. */
export const fileGateway = (file: string): Gateway => ({
  async charge(invoiceId, cents, signal) {
    await wait(20, undefined, { signal });
    await appendFile(file, `${invoiceId} ${cents}\n`);
    return { receipt: `re_${invoiceId.slice(3)}` };
  },
});

/** Turns away every fifth mail the first time it sees it. */
export function moodyMailer(): Mailer {
  const seen = new Map<string, number>();
  return {
    async send(to, text, signal) {
      await wait(1, undefined, { signal });
      const order = seen.get(text) ?? seen.size;
      if (!seen.has(text)) {
        seen.set(text, order);
        if (order % 5 === 0) throw new RetryableError('SMTP_421', `${to}: try again later`);
      }
    },
  };
}
