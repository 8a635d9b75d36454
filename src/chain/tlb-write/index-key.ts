/** The key of a member of a list that is a dictionary by number of 16 bits. */
export function indexKey(index: number): Buffer {
  const key = Buffer.allocUnsafe(2);
  key.writeUInt16BE(index);
  return key;
}
