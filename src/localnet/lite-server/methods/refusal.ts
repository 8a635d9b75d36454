import { LITE_ERROR_CODES } from '../../../chain/tl/lite-envelope.ts';

/** Codes of errors that nodes do not take from the list of `liteServer.error`. */
export const PLAIN_ERROR = 0;
const BAD_REQUEST = -400;
export const QUERY_TIMEOUT = -503;

/** A response that is an error: its code and text are sent to the client as they are. */
export class LiteRefusal extends Error {
  readonly code: number;

  constructor(code: number, text: string) {
    super(text);
    this.name = 'LiteRefusal';
    this.code = code;
  }
}

/** Rejects an invalid request. */
export function refuse(text: string): never {
  throw new LiteRefusal(BAD_REQUEST, text);
}

/** Refuses a request for something that the server does not have yet. */
export function refuseNotReady(text: string): never {
  throw new LiteRefusal(LITE_ERROR_CODES.notReady, text);
}

/** Runs work; a text is put before that of a refusal in it. */
export function prefixRefusal<T>(prefix: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof LiteRefusal) throw new LiteRefusal(error.code, prefix + error.message);
    throw error;
  }
}
