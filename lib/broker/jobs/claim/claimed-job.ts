/** A job in hand. Its stored row is read on first access: a handler rarely looks at more than the payload. */
import { isAscii } from 'node:buffer';
import type { Envelope } from '@/lib/contract/jobs/envelope';
import { decodeEnvelope, splitRow } from '../job-row';

/** `token` proves the claim to ack, fail, extend and release. */
export interface ClaimedJob {
  readonly queue: string;
  /** The shard it is in: what else is there fails with it. Absent: the queue has one shard. */
  readonly shardName?: string | undefined;
  readonly jobId: string;
  readonly token: string;
  /** Which attempt this is, from 1; a released run gives its attempt back. */
  readonly attempt: number;
  /** How many of those attempts ended with a lost lease, which says nothing about the job itself. */
  readonly leaseLosses: number;
  /** How often the job was handed out, from 1; never goes back. */
  readonly delivery: number;
  readonly leaseUntil: number;
  /** The next five also stand in the envelope; here they cost less. */
  readonly createdAt: number;
  readonly jobType: string;
  readonly jobVersion: number;
  readonly tenantId: string;
  /** In ms; 0: the handler's. */
  readonly timeoutMs: number;
  /** Decoded when it is first asked for. */
  readonly envelope: Envelope;
  /** The bytes as they came, without a copy. */
  readonly payload: Buffer;
  /** The payload as text, where that costs nothing: it is ASCII. */
  readonly payloadText?: string | undefined;
}

/** A usual row's two lines up to the payload; all others take the slow way. Sticky, so that it also says where they end. */
const USUAL_HEAD = /1 -?\d+ \d+ \d+ \d+ [!-~]+ \d+ [!-~]+(?: [!-~]+)?\n\{"at":\d{1,15}\}\n/y;

/** What all jobs of one reply have in common. */
export interface ClaimOrigin {
  readonly queue: string;
  readonly shardName: string | undefined;
  readonly leaseUntil: number;
}

/** The rows of a reply: `text` is them all as Latin-1, so that positions are the same in both. */
export interface ClaimedRows {
  readonly bytes: Buffer;
  readonly text: string;
  /** The text is what the bytes mean. */
  readonly isAscii: boolean;
  /** The first line that was split last: jobs of a queue are mostly alike. */
  head: { readonly line: string; readonly fields: string[] };
}
export const claimedRows = (bytes: Buffer): ClaimedRows => ({
  bytes,
  text: bytes.toString('latin1'),
  isAscii: isAscii(bytes),
  head: { line: '\n', fields: [] },
});

/** A job of a claim's reply over its stored row. */
export class StoredJob implements ClaimedJob {
  readonly queue: string;
  readonly shardName: string | undefined;
  readonly leaseUntil: number;
  private readonly rows: ClaimedRows;
  private readonly payloadStart: number;
  private fields: string[] | undefined;
  private decoded: Envelope | null | undefined;

  constructor(
    origin: ClaimOrigin,
    readonly jobId: string,
    readonly token: string,
    readonly delivery: number,
    readonly attempt: number,
    readonly leaseLosses: number,
    rows: ClaimedRows,
    private readonly start: number,
    private readonly end: number,
  ) {
    this.queue = origin.queue;
    this.shardName = origin.shardName;
    this.leaseUntil = origin.leaseUntil;
    this.rows = rows;
    this.fields = undefined;
    USUAL_HEAD.lastIndex = start;
    if (USUAL_HEAD.test(rows.text) && USUAL_HEAD.lastIndex <= end) {
      this.payloadStart = USUAL_HEAD.lastIndex;
      this.decoded = undefined;
    } else {
      const { head, payload } = splitRow(rows.bytes.subarray(start, end));
      this.payloadStart = end - payload.length;
      this.decoded = decodeEnvelope(jobId, head);
    }
  }
  /** False: the stored row is not ours; its envelope must not be read. */
  get isReadable(): boolean {
    return this.decoded !== null;
  }
  get createdAt(): number {
    if (this.decoded !== undefined) return this.envelope.createdAt;
    // What a usual head ends with: `{"at":<ms>}` and the end of the line.
    const { text } = this.rows;
    return Number(text.slice(text.lastIndexOf(':', this.payloadStart - 3) + 1, this.payloadStart - 2));
  }
  get jobType(): string {
    return this.head()[5] ?? '';
  }
  get jobVersion(): number {
    return Number(this.head()[6]);
  }
  get tenantId(): string {
    return this.head()[7] ?? '';
  }
  get timeoutMs(): number {
    return Number(this.head()[4]);
  }
  get envelope(): Envelope {
    const { bytes } = this.rows;
    if (this.decoded === undefined)
      this.decoded = decodeEnvelope(this.jobId, bytes.toString('utf8', this.start, this.payloadStart - 1));
    if (!this.decoded) throw new Error(`claim: the envelope of ${this.jobId} cannot be read`);
    return this.decoded;
  }
  get payload(): Buffer {
    return this.rows.bytes.subarray(this.payloadStart, this.end);
  }
  get payloadText(): string | undefined {
    return this.rows.isAscii ? this.rows.text.slice(this.payloadStart, this.end) : undefined;
  }
  private head(): string[] {
    if (this.fields) return this.fields;
    const { rows, start } = this;
    if (!rows.text.startsWith(rows.head.line, start)) {
      const line = rows.text.slice(start, rows.text.indexOf('\n', start) + 1);
      rows.head = { line, fields: line.slice(0, -1).split(' ') };
    }
    this.fields = rows.head.fields;
    return this.fields;
  }
}
