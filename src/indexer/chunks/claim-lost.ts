/** The range that was being written belongs to another process now, or stands at another seqno. */
export class ClaimLost extends Error {
  constructor(text: string) {
    super(text);
    this.name = 'ClaimLost';
  }
}
