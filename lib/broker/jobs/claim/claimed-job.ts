/** A job in hand, read from its stored row when it is asked for: a handler rarely looks at more than its payload. */
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
  /** The following four are those of the envelope, and cheaper than it. */
  readonly jobType: string;
  readonly jobVersion: number;
  readonly tenantId: string;
  /** In ms; 0: the handler's. */
  readonly timeoutMs: number;
  /** Decoded when it is first asked for. */
  readonly envelope: Envelope;
  /** The bytes as they came, without a copy. */
  readonly payload: Buffer;
}

/** A usual row's two lines up to the payload; all others take the slow way. Sticky, so that it also says where they end. */
const USUAL_HEAD = /1 -?\d+ \d+ \d+ \d+ [!-~]+ \d+ [!-~]+(?: [!-~]+)?\n\{"at":\d{1,15}\}\n/y;

/** What all jobs of one reply have in common. */
export interface ClaimOrigin {
  readonly queue: string;
  readonly shardName: string | undefined;
  readonly leaseUntil: number;
}

/** Where a row is among the rows of a reply: `text` is them all as Latin-1, so that positions are the same in both. */
export interface RowPlace {
  readonly rows: Buffer;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** A job of a claim's reply over its stored row. */
export class StoredJob implements ClaimedJob {
  readonly queue: string;
  readonly shardName: string | undefined;
  readonly leaseUntil: number;
  private readonly row: RowPlace;
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
    row: RowPlace,
  ) {
    this.queue = origin.queue;
    this.shardName = origin.shardName;
    this.leaseUntil = origin.leaseUntil;
    this.row = row;
    this.fields = undefined;
    USUAL_HEAD.lastIndex = row.start;
    if (USUAL_HEAD.test(row.text) && USUAL_HEAD.lastIndex <= row.end) {
      this.payloadStart = USUAL_HEAD.lastIndex;
      this.decoded = undefined;
    } else {
      const { head, payload } = splitRow(row.rows.subarray(row.start, row.end));
      this.payloadStart = row.end - payload.length;
      this.decoded = decodeEnvelope(jobId, head);
    }
  }
  /** False: the stored row is not ours; nothing of its envelope may be asked for. */
  get isReadable(): boolean {
    return this.decoded !== null;
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
    const { rows, start } = this.row;
    if (this.decoded === undefined)
      this.decoded = decodeEnvelope(this.jobId, rows.toString('utf8', start, this.payloadStart - 1));
    if (!this.decoded) throw new Error(`claim: the envelope of ${this.jobId} cannot be read`);
    return this.decoded;
  }
  get payload(): Buffer {
    return this.row.rows.subarray(this.payloadStart, this.row.end);
  }
  private head(): string[] {
    const { text, start } = this.row;
    this.fields ??= text.slice(start, text.indexOf('\n', start)).split(' ');
    return this.fields;
  }
}
