import { Failure, type FailureKind } from '../lib/errors.ts';

/** No status of HTTP: what logs and figures show of a request whose client did not wait for the answer. */
export const CLIENT_GONE = 499;

/** The only place where a kind of failure becomes an HTTP status. */
const STATUS_OF_KIND: Readonly<Record<FailureKind, number>> = {
  bad_request: 400,
  unknown_key: 401,
  network_not_allowed: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  conflict: 409,
  body_too_large: 413,
  url_too_long: 414,
  invalid: 422,
  rate_limited: 429,
  headers_too_large: 431,
  client_gone: CLIENT_GONE,
  internal: 500,
  lite_server: 500,
  undecodable: 501,
  overloaded: 503,
  unavailable: 503,
  timeout: 504,
  result_too_deep: 533,
  no_lite_server: 542,
  unsupported: 542,
};

/** Texts for refusals that the framework words in its own way, or that carry insides. */
const FRAMEWORK_TEXTS: Readonly<Record<string, string>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'Request body is too large',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'Request body size did not match Content-Length',
  FST_ERR_BAD_URL: 'Bad request URL',
};

/** What an error becomes at the edge: status, text for the caller, and whether the log must hear of it. */
export interface EdgeError {
  readonly status: number;
  readonly text: string;
  readonly retryAfterSeconds: number | undefined;
  /** True for an error nobody planned for: its insides go to the log and nowhere else. */
  readonly unexpected: boolean;
}

/** Maps anything thrown to what the caller may see of it. */
export function statusOf(error: unknown): EdgeError {
  if (error instanceof Failure) {
    return {
      status: STATUS_OF_KIND[error.kind],
      text: error.message,
      retryAfterSeconds: error.retryAfterSeconds,
      unexpected: error.kind === 'internal',
    };
  }
  const { statusCode, code, message } = error as { statusCode?: unknown; code?: string; message?: string };
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) {
    const text = FRAMEWORK_TEXTS[code ?? ''] ?? message ?? 'Bad Request';
    return { status: statusCode, text, retryAfterSeconds: undefined, unexpected: false };
  }
  return { status: 500, text: 'internal server error', retryAfterSeconds: undefined, unexpected: true };
}
