import type { FastifyBaseLogger } from 'fastify';

type Bindings = Record<string, unknown>;
type Line = Parameters<FastifyBaseLogger['info']>;

/**
 * The log of one request. Its child logger, which puts the request's id into every line, is made when the first line
 * is written: most requests write none beside the one at their end, and a child costs more than that line.
 */
class RequestLog {
  readonly #parent: FastifyBaseLogger;
  readonly #bindings: Bindings;
  #child: FastifyBaseLogger | undefined;

  constructor(parent: FastifyBaseLogger, bindings: Bindings) {
    this.#parent = parent;
    this.#bindings = bindings;
  }

  get #log(): FastifyBaseLogger {
    this.#child ??= this.#parent.child(this.#bindings);
    return this.#child;
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

/** Makes the log of a request, as Fastify's `childLoggerFactory` wants it. */
export function createRequestLog(parent: FastifyBaseLogger, bindings: Bindings): FastifyBaseLogger {
  return new RequestLog(parent, bindings) as FastifyBaseLogger;
}
