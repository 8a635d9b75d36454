import type { CellFault } from '../../chain/boc/cell-fault.ts';

/** How the three forms of a bag of cells start. */
const MAGICS = new Set([0xb5ee9c72, 0x68ff65f3, 0xacc3a728]);

/** What a node says of bytes that are not a bag of cells; ours where they are one that is broken further on. */
export function bocFaultText(bytes: Buffer, fault: CellFault): string {
  const isBag = bytes.length >= 4 && MAGICS.has(bytes.readUInt32BE(0));
  return `cannot deserialize bag-of-cells: ${isBag ? fault.message : 'invalid header, error 0'}`;
}
