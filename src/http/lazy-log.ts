import type { FastifyBaseLogger } from 'fastify';

type ChildArgs = Parameters<FastifyBaseLogger['child']>;
type Line = Parameters<FastifyBaseLogger['info']>;

/**
 * A logger whose children are made when they write their first line. Fastify makes a child for every request, to put
 * the request's id into its lines; most requests write none, and making a child costs more than writing a line.
 */
class LazyLog {
  readonly #parent: { child(...args: ChildArgs): FastifyBaseLogger; level: string };
  readonly #args: ChildArgs;
  #made: FastifyBaseLogger | undefined;

  constructor(parent: FastifyBaseLogger, ...args: ChildArgs) {
    this.#parent = parent;
    this.#args = args;
  }

  get #log(): FastifyBaseLogger {
    if (this.#made === undefined) {
      const parent = this.#parent instanceof LazyLog ? this.#parent.#log : this.#parent;
      this.#made = parent.child(...this.#args);
    }
    return this.#made;
  }

  get level(): string {
    return this.#parent.level;
  }

  child(...args: ChildArgs): FastifyBaseLogger {
    return new LazyLog(this as unknown as FastifyBaseLogger, ...args) as unknown as FastifyBaseLogger;
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

/** Wraps a logger so that its children are made late. */
export function createLazyLog(log: FastifyBaseLogger): FastifyBaseLogger {
  return new LazyLog(log, {}) as unknown as FastifyBaseLogger;
}
