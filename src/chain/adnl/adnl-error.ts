/** A peer broke the protocol. Its stream cannot be read any further: the connection must be closed. */
export class AdnlError extends Error {
  constructor(text: string, cause?: unknown) {
    super(text, cause === undefined ? undefined : { cause });
    this.name = 'AdnlError';
  }
}
