/** Why a document was not to be had; the text is kept beside the token. */
export class MetadataFault extends Error {
  /** `refused` are addresses that are not asked at all; `silent` are hosts that answer late or want fewer requests. */
  readonly kind: 'failed' | 'refused' | 'silent';

  constructor(kind: MetadataFault['kind'], text: string) {
    super(text);
    this.name = 'MetadataFault';
    this.kind = kind;
  }
}
