import { crc16 } from '../address/crc16.ts';

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';

/** An ADNL address as users write it: 55 characters of base32 with a tag and a checksum. */
export function formatAdnlAddress(id: Buffer): string {
  const bytes = Buffer.alloc(35);
  bytes[0] = 0x2d;
  id.copy(bytes, 1);
  bytes.writeUInt16BE(crc16(bytes, 0, 33), 33);
  let text = '';
  for (let bit = 0; bit < 35 * 8; bit += 5) {
    const pair = (bytes[bit >> 3]! << 8) | (bytes[(bit >> 3) + 1] ?? 0);
    text += BASE32[(pair >> (11 - (bit & 7))) & 31];
  }
  // The first character is the same for every address: part of the tag.
  return text.slice(1);
}
