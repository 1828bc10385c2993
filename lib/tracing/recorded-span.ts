/** A span that is recorded, until it ends: what an SDK makes of the calls of the OpenTelemetry API. Everything in it is bounded. */
import type {
  AttributeValue,
  Link,
  Span,
  SpanAttributes,
  SpanContext,
  SpanKind,
  SpanStatus,
} from '@opentelemetry/api';

/** The bounds of the OpenTelemetry specification. */
const ATTRIBUTES_MAX = 128;
const LINKS_MAX = 128;
const TEXT_MAX = 1_024;

/** An ended span, as it is exported. */
export interface SpanRecord {
  readonly name: string;
  readonly kind: SpanKind;
  readonly own: SpanContext;
  readonly parent: SpanContext | undefined;
  readonly links: readonly Link[];
  readonly attributes: Readonly<SpanAttributes>;
  readonly status: SpanStatus;
  readonly startMs: number;
  readonly endMs: number;
}

export interface SpanClock {
  wallMs(): number;
  monotonicMs(): number;
}

interface SpanStart {
  readonly name: string;
  readonly kind: SpanKind;
  readonly own: SpanContext;
  readonly parent: SpanContext | undefined;
  readonly links: readonly Link[];
  readonly attributes: SpanAttributes;
}

export class RecordedSpan implements Span {
  readonly #start: SpanStart;
  readonly #clock: SpanClock;
  readonly #onEnd: (span: SpanRecord) => void;
  readonly #startMs: number;
  readonly #startedAtMs: number;
  readonly #attributes = new Map<string, AttributeValue>();
  #name: string;
  #links: readonly Link[];
  #status: SpanStatus = { code: 0 };
  #ended = false;

  constructor(start: SpanStart, clock: SpanClock, onEnd: (span: SpanRecord) => void) {
    this.#start = start;
    this.#clock = clock;
    this.#onEnd = onEnd;
    this.#name = start.name;
    this.#links = start.links.slice(0, LINKS_MAX);
    this.#startMs = clock.wallMs();
    this.#startedAtMs = clock.monotonicMs();
    this.setAttributes(start.attributes);
  }

  spanContext(): SpanContext {
    return this.#start.own;
  }

  setAttribute(key: string, value: AttributeValue | undefined): this {
    if (value === undefined || this.#ended) return this;
    if (this.#attributes.has(key) || this.#attributes.size < ATTRIBUTES_MAX)
      this.#attributes.set(key, typeof value === 'string' ? value.slice(0, TEXT_MAX) : value);
    return this;
  }

  setAttributes(attributes: SpanAttributes): this {
    for (const [key, value] of Object.entries(attributes)) this.setAttribute(key, value);
    return this;
  }

  /** Events are not kept: nothing of ours adds one, and an exception may quote a payload. */
  addEvent(): this {
    return this;
  }

  recordException(): void {}

  addLink(link: Link): this {
    return this.addLinks([link]);
  }

  addLinks(links: Link[]): this {
    if (!this.#ended) this.#links = [...this.#links, ...links].slice(0, LINKS_MAX);
    return this;
  }

  setStatus(status: SpanStatus): this {
    if (!this.#ended) this.#status = status;
    return this;
  }

  updateName(name: string): this {
    if (!this.#ended) this.#name = name;
    return this;
  }

  /** The second call does nothing. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    const { kind, own, parent } = this.#start;
    this.#onEnd({
      name: this.#name.slice(0, TEXT_MAX),
      kind,
      own,
      parent,
      links: this.#links,
      attributes: Object.fromEntries(this.#attributes),
      status: this.#status,
      startMs: this.#startMs,
      // By the monotonic clock: a span never ends before it began.
      endMs: this.#startMs + this.#clock.monotonicMs() - this.#startedAtMs,
    });
  }

  isRecording(): boolean {
    return !this.#ended;
  }
}
