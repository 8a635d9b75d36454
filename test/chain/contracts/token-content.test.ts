import { createHash } from 'node:crypto';
import { beginCell, Cell, Dictionary } from '@ton/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readBoc } from '../../../src/chain/boc/bag.ts';
import { fromCoreCell } from '../../../src/chain/boc/ton-core.ts';
import {
  MAX_STORED_CONTENT_BYTES,
  readTokenContent,
  TOKEN_ATTRIBUTES,
  type TokenContent,
  toStoredContent,
} from '../../../src/chain/contracts/token-content.ts';

/** A chain of cells with the bytes in pieces. */
function snake(bytes: Buffer, piece = 120, prefix = ''): Cell {
  const head = Buffer.concat([Buffer.from(prefix, 'hex'), bytes.subarray(0, piece)]);
  const builder = beginCell().storeBuffer(head);
  if (bytes.length > piece) builder.storeRef(snake(bytes.subarray(piece), piece));
  return builder.endCell();
}

function content(cell: Cell, maxBytes?: number): TokenContent | undefined {
  const bag = fromCoreCell(cell);
  return readTokenContent(bag, bag.root, maxBytes);
}

/** On-chain content with a value for each attribute, which is put there as it is or in a cell of its own. */
function onchain(values: Record<string, Cell>, inline = false): Cell {
  const dictionary = Dictionary.empty(Dictionary.Keys.Buffer(32), {
    serialize: (cell: Cell, builder) => {
      if (inline) builder.storeSlice(cell.beginParse());
      else builder.storeRef(cell);
    },
    parse: () => Cell.EMPTY,
  });
  for (const [name, cell] of Object.entries(values))
    dictionary.set(createHash('sha256').update(name).digest(), cell);
  return beginCell().storeUint(0, 8).storeDict(dictionary).endCell();
}

const text = (value: string) => snake(Buffer.from(value), 120, '00');

function attributes(cell: Cell): unknown {
  const found = content(cell);
  return found?.type === 'onchain' ? found.attributes : undefined;
}

describe('readTokenContent', () => {
  it('reads the link of off-chain content', () => {
    const bag = readBoc(
      Buffer.from('te6cckEBAQEAHgAAOAFodHRwczovL2V4YW1wbGUudGVzdC9qLmpzb27qpQw3', 'base64'),
    );
    expect(readTokenContent(bag, bag.root)).toEqual({ type: 'offchain', uri: 'https://example.test/j.json' });
    const long = `https://example.test/${'я'.repeat(300)}`;
    expect(content(snake(Buffer.from(long), 50, '01'))).toEqual({ type: 'offchain', uri: long });
    expect(content(snake(Buffer.alloc(0), 1, '01'))).toEqual({ type: 'offchain', uri: '' });
  });

  it('joins cells that end inside a byte', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), fc.array(fc.nat({ max: 40 })), (uri, sizes) => {
        const bits = [...Buffer.from(uri)].map((byte) => byte.toString(2).padStart(8, '0')).join('');
        const pieces: string[] = [];
        let at = 0;
        for (const size of sizes) {
          pieces.push(bits.slice(at, at + size));
          at += size;
        }
        pieces.push(bits.slice(Math.min(at, bits.length)));
        const cell = pieces.reduceRight<Cell | undefined>((next, piece, i) => {
          const builder = beginCell();
          if (i === 0) builder.storeUint(1, 8);
          for (const bit of piece) builder.storeBit(bit === '1');
          if (next !== undefined) builder.storeRef(next);
          return builder.endCell();
        }, undefined)!;
        expect(content(cell)).toEqual({ type: 'offchain', uri });
      }),
    );
  });

  it('reads the known attributes and no others', () => {
    const values = Object.fromEntries(TOKEN_ATTRIBUTES.map((name) => [name, text(`the ${name}`)]));
    expect(attributes(onchain({ ...values, other: text('x') }))).toEqual({
      ...Object.fromEntries(TOKEN_ATTRIBUTES.map((name) => [name, `the ${name}`])),
      image_data: Buffer.from('the image_data').toString('base64'),
    });
    expect(attributes(onchain({ name: text('right here') }, true))).toEqual({ name: 'right here' });
    expect(attributes(onchain({}))).toEqual({});
  });

  it('reads chunks up to the first missing one, each without the cells below', () => {
    const chunks = Dictionary.empty(Dictionary.Keys.Uint(32), Dictionary.Values.Cell());
    chunks.set(
      0,
      beginCell().storeBuffer(Buffer.from('one ')).storeRef(beginCell().storeUint(0x21, 8)).endCell(),
    );
    chunks.set(1, beginCell().storeBuffer(Buffer.from('two')).endCell());
    chunks.set(3, beginCell().storeBuffer(Buffer.from('four')).endCell());
    const value = beginCell().storeUint(1, 8).storeDict(chunks).endCell();
    expect(attributes(onchain({ description: value }))).toEqual({ description: 'one two' });
    const none = beginCell().storeUint(1, 8).storeBit(0).endCell();
    expect(attributes(onchain({ description: none }))).toEqual({ description: '' });
  });

  it('skips unreadable attributes', () => {
    const values = {
      name: snake(Buffer.from([0xff, 0xfe]), 10, '00'),
      image_data: snake(Buffer.from([0xff, 0xfe]), 10, '00'),
      symbol: text('SYM'),
      description: snake(Buffer.from('x'), 10, '02'),
      decimals: beginCell().storeUint(0, 8).storeUint(1, 3).endCell(),
      image: Cell.EMPTY,
      uri: beginCell().storeUint(2, 8).storeUint(0, 256).endCell({ exotic: true }),
    };
    expect(attributes(onchain(values))).toEqual({ image_data: '//4=', symbol: 'SYM' });
  });

  it('returns undefined for malformed content', () => {
    expect(content(Cell.EMPTY)).toBeUndefined();
    expect(content(beginCell().storeUint(2, 8).endCell())).toBeUndefined();
    expect(content(beginCell().storeUint(0, 8).endCell())).toBeUndefined();
    expect(content(beginCell().storeUint(1, 8).storeUint(0, 3).endCell())).toBeUndefined();
    expect(content(snake(Buffer.from([0xd0]), 10, '01'))).toBeUndefined();
    expect(content(beginCell().storeUint(0, 8).storeBit(1).storeRef(Cell.EMPTY).endCell())).toBeUndefined();
  });

  it('stops at the limit, between two cells', () => {
    const long = Buffer.alloc(100_000, 0x61);
    const whole = content(snake(long, 120, '01'));
    expect(whole?.type === 'offchain' && whole.uri.length).toBe(546 * 120);
    const stored = content(snake(long, 120, '01'), MAX_STORED_CONTENT_BYTES);
    expect(stored?.type === 'offchain' && stored.uri.length).toBe(68 * 120);
  });

  it('stops in a dictionary with endless empty chunks', () => {
    // A fork at each of 32 bits whose halves are the same, down to a leaf with a reference to nothing.
    let node = beginCell().storeUint(0, 2).storeRef(Cell.EMPTY).endCell();
    for (let i = 0; i < 32; i++) node = beginCell().storeUint(0, 2).storeRef(node).storeRef(node).endCell();
    const value = beginCell().storeUint(1, 8).storeBit(1).storeRef(node).endCell();
    expect(attributes(onchain({ name: value }))).toEqual({ name: '' });
  });

  it('gives content that toStoredContent stores without NUL', () => {
    expect(toStoredContent({ type: 'offchain', uri: 'a\0b' })).toEqual({ uri: 'ab' });
    const onchainContent: TokenContent = { type: 'onchain', attributes: { name: '\0n\0', symbol: 'S' } };
    expect(toStoredContent(onchainContent)).toEqual({ name: 'n', symbol: 'S' });
    expect(onchainContent).toEqual({ type: 'onchain', attributes: { name: '\0n\0', symbol: 'S' } });
  });
});
