/** Bytes of a peer that break the protocol. The stream cannot be read on after it: the connection has to be cut. */
export class AdnlError extends Error {
  constructor(text: string, cause?: unknown) {
    super(text, cause === undefined ? undefined : { cause });
    this.name = 'AdnlFault';
  }
}
