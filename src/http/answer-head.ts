/** Headers by their names in lower case. */
export type Headers = Readonly<Record<string, string | number>>;

/**
 * The headers of one JSON answer. Fastify keeps headers in an object that is filled by computed names, which is slow
 * (3 to 4 µs a header were measured); here the common ones are fields, and the object is made once with constant names.
 */
export class AnswerHead {
  readonly #requestId: string;
  readonly #cors: Headers | undefined;
  #limit: unknown;
  #remaining: unknown;
  #reset: unknown;
  #others: Record<string, string | number> | undefined;

  /** `cors` are the headers for other origins; undefined where they may not call. */
  constructor(requestId: string, cors: Headers | undefined) {
    this.#requestId = requestId;
    this.#cors = cors;
  }

  header(name: string, value: unknown): void {
    if (name === 'x-ratelimit-limit') this.#limit = value;
    else if (name === 'x-ratelimit-remaining') this.#remaining = value;
    else if (name === 'x-ratelimit-reset') this.#reset = value;
    else {
      this.#others ??= {};
      this.#others[name] = value as string | number;
    }
  }

  /** All headers of an answer whose body has this many bytes; `more` are the interface's own. */
  finish(contentLength: number, more: Headers): Record<string, string | number> {
    return this.#withRate({
      'content-type': 'application/json',
      'content-length': contentLength,
      'x-request-id': this.#requestId,
      ...this.#cors,
      ...more,
    });
  }

  /** All headers of an answer that has no body at all. */
  finishEmpty(more: Headers): Record<string, string | number> {
    return this.#withRate({ 'x-request-id': this.#requestId, ...this.#cors, ...more });
  }

  #withRate(headers: Record<string, string | number>): Record<string, string | number> {
    if (this.#limit !== undefined) {
      headers['x-ratelimit-limit'] = this.#limit as number;
      headers['x-ratelimit-remaining'] = this.#remaining as number;
      headers['x-ratelimit-reset'] = this.#reset as number;
    }
    return this.#others === undefined ? headers : Object.assign(headers, this.#others);
  }
}
