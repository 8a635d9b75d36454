/** Codes of `liteServer.error`, as nodes use them. */
export const PLAIN_ERROR = 0;
export const BAD_REQUEST = -400;
export const QUERY_TIMEOUT = -503;
export const FAILURE = 601;
export const GONE = 602;
export const NOT_READY = 651;
export const WAIT_TIMEOUT = 652;
export const CANCELLED = 653;

/** An answer that is an error: its code and text go to the client as they are. */
export class LiteRefusal extends Error {
  readonly code: number;

  constructor(code: number, text: string) {
    super(text);
    this.name = 'LiteRefusal';
    this.code = code;
  }
}

/** Refuses a request that asks for something wrong. */
export function refuse(text: string): never {
  throw new LiteRefusal(BAD_REQUEST, text);
}

/** Does something; the text of a refusal in it gets words before it. */
export function prefixRefusal<T>(prefix: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof LiteRefusal) throw new LiteRefusal(error.code, prefix + error.message);
    throw error;
  }
}
