/** Bytes that are not the TL they should be, or a value that TL cannot hold. */
export class TlError extends Error {
  constructor(text: string) {
    super(text);
    this.name = 'TlError';
  }
}

/** A constructor id as error texts show it. */
export function constructorText(id: number): string {
  return `0x${id.toString(16).padStart(8, '0')}`;
}
