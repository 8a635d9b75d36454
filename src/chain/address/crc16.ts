const table = new Uint16Array(256);
for (let byte = 0; byte < 256; byte++) {
  let crc = byte << 8;
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1;
  table[byte] = crc & 0xffff;
}

/** CRC-16/XMODEM of the bytes from `start` to `end`: the checksum of friendly addresses. */
export function crc16(bytes: Uint8Array, start: number, end: number): number {
  let crc = 0;
  for (let i = start; i < end; i++) {
    crc = ((crc << 8) & 0xffff) ^ table[(crc >> 8) ^ bytes[i]!]!;
  }
  return crc;
}
