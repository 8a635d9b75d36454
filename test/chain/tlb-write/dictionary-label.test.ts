import { describe, expect, it } from 'vitest';
import { CellBuilder } from '../../../src/chain/boc/cell-builder.ts';
import { firstDifference } from '../../../src/chain/tlb/dictionary-key.ts';
import { writeLabel } from '../../../src/chain/tlb-write/dictionary-label.ts';

/** The bits of a label as text. */
function labelBits(label: string, max: number): string {
  const padded = label.padEnd(Math.ceil(label.length / 8) * 8, '0');
  const key = Buffer.from(padded.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? []);
  const builder = new CellBuilder();
  writeLabel(builder, key, 0, label.length, max);
  const bytes = [...builder.data.subarray(0, (builder.bitCount + 7) >> 3)];
  const bits = bytes.map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return bits.slice(0, builder.bitCount);
}

describe('the label of an edge', () => {
  it.each([
    ['nothing', '', 0, '00'],
    ['nothing of many bits', '', 256, '00'],
    ['one bit, too short for the form of equal bits', '1', 256, '0101'],
    ['one bit where its length takes none', '1', 1, '0101'],
    ['two equal bits, no longer in unary', '00', 7, '011000'],
    ['two equal bits, shorter as equal ones', '00', 3, '11010'],
    ['two equal bits as long both ways', '11', 4, '011011'],
    ['three bits in unary', '101', 15, '01110101'],
    ['as long with its length in unary as in binary', '1010', 15, '0111101010'],
    ['shorter with its length in binary', '10101', 15, '10010110101'],
    ['many equal bits', '1'.repeat(64), 64, '1111000000'],
    ['many bits', '10'.repeat(32), 64, `101000000${'10'.repeat(32)}`],
  ])('is %s', (_, label, max, bits) => {
    expect(labelBits(label, max)).toBe(bits);
  });

  it('finds where keys differ', () => {
    const [a, b] = [Buffer.from('ff00f0', 'hex'), Buffer.from('ff00f8', 'hex')];
    expect(firstDifference(a, b, 0, 24)).toBe(20);
    expect(firstDifference(a, b, 3, 20)).toBe(20);
    expect(firstDifference(a, b, 3, 19)).toBe(19);
    expect(firstDifference(a, b, 21, 24)).toBe(24);
    expect(firstDifference(a, b, 7, 7)).toBe(7);
  });
});
