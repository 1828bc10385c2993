/** Why a message did not reach its receiver. */
export class AlertSendError extends Error {
  override readonly name = 'AlertSendError';
  /** Another attempt would end the same way: the receiver refuses the message or does not know the sender. */
  readonly isFinal: boolean;
  /** The receiver's wish; null: none. */
  readonly retryAfterMs: number | null;

  /** @param sentence for the record of deliveries: without an address, a key or a reply in it */
  constructor(
    sentence: string,
    {
      isFinal = false,
      retryAfterMs = null,
      cause,
    }: { isFinal?: boolean; retryAfterMs?: number | null; cause?: unknown } = {},
  ) {
    super(sentence, { cause });
    this.isFinal = isFinal;
    this.retryAfterMs = retryAfterMs;
  }
}
