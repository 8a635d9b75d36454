/** Rows for a binary COPY: tuples one after the other, without the head and the end of the stream. */
export interface CopyRows {
  readonly bytes: Buffer;
  readonly count: number;
}
