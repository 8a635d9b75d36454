import { Address, beginCell, Cell } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { fromCoreCell } from '../../../src/chain/boc/core-cell.ts';
import { readBoc } from '../../../src/chain/boc/read-boc.ts';
import { Slice } from '../../../src/chain/boc/slice.ts';
import { digestOfCell, digestOfRest, hashOfParts, hashOfRest } from '../../../src/chain/boc/slice-hash.ts';
import { writeBoc } from '../../../src/chain/boc/write-boc.ts';

const address = Address.parse('EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N');

const vectors: readonly (readonly [name: string, boc: string, hash: string | undefined, cell: Cell])[] = [
  [
    'a number',
    'te6cckEBAQEABgAACAAAAAX/FF46',
    'jDtz4L1xqg7TLr9nsw42Oac0YJHxxRM4hDxJLNaivZ0=',
    beginCell().storeUint(5, 32).endCell(),
  ],
  ['nothing', 'te6cckEBAQEAAgAAAEysuc0=', 'lqKW0iTyhcZ77pPDD4owkVfw2qNdxbh+QQt4YwoJz8c=', Cell.EMPTY],
  [
    'the data of a wallet v4',
    'te6cckEBAQEAKwAAUQAAAAUpqaMXERERERERERERERERERERERERERERERERERERERERERFAGvaVSw==',
    undefined,
    beginCell()
      .storeUint(5, 32)
      .storeUint(698983191, 32)
      .storeBuffer(Buffer.alloc(32, 0x11))
      .storeBit(false)
      .endCell(),
  ],
  [
    'a body',
    'te6cckEBAQEADgAAGNUydtsAAAAAAAAABxylUgg=',
    'P3lF+eqlE3QWGOMzsrHulBRN8rPSDu+lr9OLyDD/2Ic=',
    beginCell().storeUint(0xd53276db, 32).storeUint(7, 64).endCell(),
  ],
  ['five bits', 'te6cckEBAQEAAwAAAbScKrQA', undefined, beginCell().storeUint(0b10110, 5).endCell()],
  [
    'an address',
    'te6cckEBAQEAJAAAQ4AQe/qqXMblNo5fl5kYi9eYzSLgSrFtHY6k/DdIB0HmNRBko+Gm',
    undefined,
    beginCell().storeAddress(address).endCell(),
  ],
  [
    'content off the chain',
    'te6cckEBAQEAHgAAOAFodHRwczovL2V4YW1wbGUudGVzdC9qLmpzb27qpQw3',
    undefined,
    beginCell().storeUint(1, 8).storeBuffer(Buffer.from('https://example.test/j.json')).endCell(),
  ],
  [
    'the shard account of an absent account',
    'te6cckEBAgEALgABUAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABAAFAAVi1MQ==',
    undefined,
    beginCell().storeRef(beginCell().storeBit(false).endCell()).storeUint(0, 256).storeUint(0, 64).endCell(),
  ],
  [
    'a message from outside',
    'te6cckEBAQEAKQAATYgBB7+qpcxuU2jl+XmRiL15jNIuBKsW0djqT8N0gHQeY1AG9W33fOuLgbE=',
    'vuZPCcyYFV9nYC0oSOnpsvkJXJlIamIWhnAi/jvoMcU=',
    beginCell()
      .storeUint(8, 4)
      .storeAddress(address)
      .storeCoins(0)
      .storeUint(0, 2)
      .storeUint(0xdeadbeef, 32)
      .endCell(),
  ],
];

describe('known bags of cells', () => {
  it.each(vectors)('%s', (_name, boc, hash, cell) => {
    const bag = readBoc(Buffer.from(boc, 'base64'));
    expect(bag.hash(bag.root)).toEqual(cell.hash());
    if (hash !== undefined) expect(bag.hash(bag.root).toString('base64')).toBe(hash);
    const { cells, roots } = { cells: fromCoreCell(cell), roots: [0] };
    expect(writeBoc({ cells, roots }, { order: 'tonlib' }).toString('base64')).toBe(boc);
    expect(writeBoc({ cells, roots }, { order: 'core' }).toString('base64')).toBe(boc);
  });

  it('a number without a checksum', () => {
    const { cells, roots } = { cells: fromCoreCell(beginCell().storeUint(5, 32).endCell()), roots: [0] };
    expect(writeBoc({ cells, roots }, { order: 'tonlib', crc: false }).toString('base64')).toBe(
      'te6ccgEBAQEABgAACAAAAAU=',
    );
  });

  it('the normalised hash of the message from outside', () => {
    const bag = readBoc(Buffer.from(vectors.at(-1)![1], 'base64'));
    const slice = new Slice(bag, bag.root);
    // The tag with an empty source, the address, no fee; then no StateInit, and the body inside.
    slice.skip(4 + 267 + 4 + 2);
    expect(hashOfRest(slice)).toEqual(beginCell().storeUint(0xdeadbeef, 32).endCell().hash());
    const start = beginCell().storeUint(8, 4).storeAddress(address).storeCoins(0).storeUint(1, 2).endCell();
    const flat = fromCoreCell(start);
    const data = flat.bytes.subarray(flat.starts[0]);
    const normalised = 'KvF3MY2lIx25hPdX4wZgGk2v4EnpGTqCX/sKE/Z2naw=';
    expect(hashOfParts(data, 277, [digestOfRest(slice)]).toString('base64')).toBe(normalised);
    const body = fromCoreCell(beginCell().storeUint(0xdeadbeef, 32).endCell());
    expect(hashOfParts(data, 277, [digestOfCell(body, 0)]).toString('base64')).toBe(normalised);
  });
});
