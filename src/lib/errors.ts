/**
 * All kinds of failures. Rooms below `http` throw a `Failure` with a kind and a text that may be shown to the caller;
 * only `http/errors` maps kinds to statuses.
 */
export type FailureKind =
  | 'bad_request'
  | 'invalid'
  | 'unknown_key'
  | 'network_not_allowed'
  | 'rate_limited'
  | 'not_found'
  | 'method_not_allowed'
  | 'conflict'
  | 'body_too_large'
  | 'url_too_long'
  | 'headers_too_large'
  | 'request_timeout'
  | 'client_gone'
  | 'overloaded'
  | 'unavailable'
  | 'timeout'
  | 'lite_server'
  | 'no_lite_server'
  | 'result_too_deep'
  | 'unsupported'
  | 'undecodable'
  | 'internal';

interface FailureOptions {
  /** Only for the log. */
  readonly details?: Record<string, unknown>;
  /** Seconds after which a repeated request can succeed. */
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
}

/** An error whose `message` is meant for the caller and whose `details` are meant for the log. */
export class Failure extends Error {
  readonly kind: FailureKind;
  readonly details: Record<string, unknown> | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(kind: FailureKind, publicText: string, options: FailureOptions = {}) {
    super(publicText, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.kind = kind;
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/**
 * The program cannot start. The message is one line for the operator that says what is wrong, where, and what to do
 * about it; the command line prints it without a stack.
 */
export class StartError extends Error {
  constructor(text: string, options: { readonly cause?: unknown } = {}) {
    super(text.replace(/\s*\n\s*/g, ' '), options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'StartError';
  }
}

/** A mistake in how a command was called; its message is meant for the person at the terminal. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError';
}
