import { describe, expect, it } from 'vitest';
import { readRootBoc } from '../../../src/chain/boc/read-root-boc.ts';

const FIVE = Buffer.from('te6ccgEBAQEABgAACAAAAAU=', 'base64');
const FIVE_WITH_CRC = Buffer.from('te6cckEBAQEABgAACAAAAAX/FF46', 'base64');

const changed = (bytes: Buffer, at: number, value: number): Buffer => {
  const copy = Buffer.from(bytes);
  copy[at] = value;
  return copy;
};

/** The texts of a node, as its source words them and recordings show them. */
describe('readRootBoc rejects a malformed bag with the wording of a node', () => {
  const cannot = 'cannot deserialize bag-of-cells: ';
  it.each<[string, Buffer, string]>([
    ['no bytes', Buffer.alloc(0), `${cannot}not enough bytes (0 present, 10 required)`],
    ['three bytes', Buffer.alloc(3), `${cannot}not enough bytes (3 present, 10 required)`],
    ['other bytes', Buffer.from('not a boc'), `${cannot}invalid header, error 0`],
    ['no header', FIVE.subarray(0, 4), `${cannot}not enough bytes (4 present, 10 required)`],
    ['no sizes', FIVE.subarray(0, 5), `${cannot}not enough bytes (5 present, 10 required)`],
    ['a cut header', FIVE.subarray(0, 8), `${cannot}not enough bytes (8 present, 10 required)`],
    ['no size of the cells', FIVE.subarray(0, 9), `${cannot}not enough bytes (9 present, 10 required)`],
    ['no cells', FIVE.subarray(0, 10), `${cannot}not enough bytes (10 present, 17 required)`],
    ['a cut cell', FIVE.subarray(0, 15), `${cannot}not enough bytes (15 present, 17 required)`],
    ['references of no size', changed(FIVE, 4, 0), `${cannot}invalid header, error 0`],
    ['cache bits without an index', changed(FIVE, 4, 0x21), `${cannot}invalid header, error 0`],
    ['offsets of no size', changed(FIVE, 5, 0), `${cannot}invalid header, error 0`],
    ['a count of no cells', changed(FIVE, 6, 0), `${cannot}invalid header, error 0`],
    ['no roots', changed(FIVE, 7, 0), `${cannot}invalid header, error 0`],
    ['more absent cells than cells', changed(FIVE, 8, 2), `${cannot}invalid header, error 0`],
    ['more cells than bytes', changed(FIVE, 6, 9), `${cannot}invalid header, error 0`],
    [
      'a wrong checksum',
      changed(FIVE_WITH_CRC, 17, 0xfe),
      'bag-of-cells CRC32C mismatch: expected 0x3a5e14ff, found 0x3a5e14fe',
    ],
    [
      'a cell that is longer than its bag',
      changed(FIVE, 12, 12),
      'invalid bag-of-cells failed to deserialize cell #0 [Error : 0 : Not enough bytes [got:6][expected:8]]',
    ],
    [
      'a cell that is shorter than its bag',
      changed(FIVE, 12, 6),
      'invalid bag-of-cells last cell #0: end offset 5 is different from total data size 6',
    ],
    [
      'five references',
      changed(FIVE, 11, 5),
      'invalid bag-of-cells failed to deserialize cell #0 [Error : 0 : Invalid first byte]',
    ],
  ])('%s', (_what, bytes, text) => {
    expect(() => readRootBoc(bytes)).toThrow(text);
  });

  it('uses our own text for errors that a node finds later', () => {
    const overlong = changed(changed(FIVE, 12, 7), 16, 0x80);
    expect(() => readRootBoc(overlong)).toThrow(`${cannot}last byte of a cell holds no data bit`);
  });

  it('accepts only one root of level 0', () => {
    const two = Buffer.from('b5ee9c7201010202000500010100010000', 'hex');
    expect(() => readRootBoc(two)).toThrow('Bag-of-cells has more root cells than expected');
    const pruned = Buffer.alloc(10 + 1 + 2 + 36);
    Buffer.from('b5ee9c7201010101002600', 'hex').copy(pruned);
    pruned.set([0x28, 72, 1, 1], 11);
    expect(() => readRootBoc(pruned)).toThrow('bag of cells has a root with non-zero level');
    expect(readRootBoc(FIVE).bits[0]).toBe(32);
  });
});
