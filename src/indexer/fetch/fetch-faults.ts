/** The chain of the lite servers is another one than that which was followed so far: it was reset, or put back. */
export class ChainDiverged extends Error {
  readonly seqno: number;

  constructor(seqno: number, detail: string) {
    super(`The chain is not the one that was indexed: ${detail}`);
    this.name = 'ChainDiverged';
    this.seqno = seqno;
  }
}
