/** How an application tests its handlers: without Redis, without a worker. */
import { MalformedError, memoryOnce, RetryableError, runHandler } from 'redrive';
import { describe, expect, it, vi } from 'vitest';
import { chargesInvoices } from './src/invoice-handlers';
import type { Mailer } from './src/invoice-services';

const invoice = { invoiceId: 'in_7', cents: 1_200, email: 'a@example.com' };
const gateway = () => ({ charge: vi.fn(async () => ({ receipt: 're_7' })) });
const mailer = (send: Mailer['send'] = async () => undefined) => ({ send: vi.fn(send) });

describe('charging an invoice', () => {
  it('charges, mails the receipt and returns it', async () => {
    const [pay, mail] = [gateway(), mailer()];
    await expect(runHandler(chargesInvoices(pay, mail), invoice)).resolves.toEqual({ receipt: 're_7' });
    expect(mail.send).toHaveBeenCalledWith('a@example.com', 'Receipt re_7', expect.any(AbortSignal));
  });

  it('does not charge again when only the mail failed', async () => {
    const [pay, once] = [gateway(), memoryOnce()];
    const away = mailer(() => Promise.reject(new RetryableError('SMTP_421', 'later')));
    await expect(runHandler(chargesInvoices(pay, away), invoice, { once })).rejects.toThrow('later');
    await runHandler(chargesInvoices(pay, mailer()), invoice, { once, attempt: 2 });
    expect(pay.charge).toHaveBeenCalledTimes(1);
  });

  it('refuses a payload that does not fit', async () => {
    await expect(runHandler(chargesInvoices(gateway(), mailer()), { ...invoice, cents: 0 })).rejects.toThrow(
      MalformedError,
    );
  });
});
