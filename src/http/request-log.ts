import type { FastifyBaseLogger } from 'fastify';

type Line = Parameters<FastifyBaseLogger['info']>;

/**
 * The log of one request. The child logger that puts the request's id into its lines is made with the first of them:
 * most requests write none, and making a child costs more than writing a line.
 */
class RequestLog {
  readonly #parent: FastifyBaseLogger;
  readonly #reqId: string;
  #made: FastifyBaseLogger | undefined;

  constructor(parent: FastifyBaseLogger, reqId: string) {
    this.#parent = parent;
    this.#reqId = reqId;
  }

  get #log(): FastifyBaseLogger {
    this.#made ??= this.#parent.child({ reqId: this.#reqId });
    return this.#made;
  }

  get level(): string {
    return this.#parent.level;
  }

  child(...args: Parameters<FastifyBaseLogger['child']>): FastifyBaseLogger {
    return this.#log.child(...args);
  }

  fatal(...line: Line): void {
    this.#log.fatal(...line);
  }
  error(...line: Line): void {
    this.#log.error(...line);
  }
  warn(...line: Line): void {
    this.#log.warn(...line);
  }
  info(...line: Line): void {
    this.#log.info(...line);
  }
  debug(...line: Line): void {
    this.#log.debug(...line);
  }
  trace(...line: Line): void {
    this.#log.trace(...line);
  }
  silent(): void {}
}

/** Makes the log of a request. */
export function createRequestLog(parent: FastifyBaseLogger, reqId: string): FastifyBaseLogger {
  return new RequestLog(parent, reqId) as unknown as FastifyBaseLogger;
}
