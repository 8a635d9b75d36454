import { beginCell, Cell, loadMessage, storeMessage } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { readBoc } from '../../../src/chain/boc/bag.ts';
import { CellError } from '../../../src/chain/boc/cells.ts';
import { normalizedHash, readMessage, sliceOf } from '../../../src/chain/tlb/message.ts';
import { merkleProof } from '../../support/chain-builder/cells.ts';
import { ACCOUNT, MESSAGES } from '../support/transaction-samples.ts';
import { plainCoreMessage, plainMessage } from '../support/transactions-as-core.ts';

function read(cell: Cell) {
  const bag = readBoc(cell.toBoc());
  return readMessage(bag, bag.root);
}

const external = () => beginCell().storeUint(0b10_00, 4).storeAddress(ACCOUNT).storeCoins(0);

describe('readMessage reads the same as @ton/core', () => {
  for (const [name, message] of Object.entries(MESSAGES)) {
    it.each([false, true])(`${name}, body and init by reference: %s`, (forceRef) => {
      const cell = beginCell().store(storeMessage(message, { forceRef })).endCell();
      expect(plainMessage(read(cell))).toEqual(plainCoreMessage(loadMessage(cell.beginParse()), cell));
    });
  }
});

describe('body and init of a message', () => {
  it('an inline body is the rest of the cell', () => {
    const body = beginCell().storeUint(0x12345678, 32).storeUint(5, 3).storeRef(beginCell());
    const cell = external().storeUint(0, 2).storeBuilder(body).endCell();
    const message = read(cell);
    expect(message.body.whole).toBe(false);
    expect(message.opcode).toBe(0x12345678);
    const slice = sliceOf(message.cells, message.body);
    expect([slice.uint(32), slice.uint(3), slice.bitsLeft, slice.refsLeft]).toEqual([0x12345678, 5, 0, 1]);
    expect(message.bodyHash).toEqual(body.endCell().hash());
  });

  it('an inline StateInit ends before the body', () => {
    const code = beginCell().storeUint(1, 8).endCell();
    const init = beginCell().storeUint(0b0_0, 2).storeMaybeRef(code).storeBit(0).storeMaybeRef(code);
    const cell = external().storeUint(0b10, 2).storeBuilder(init).storeBit(0).storeUint(7, 9).endCell();
    const { init: found, cells, bodyHash } = read(cell);
    expect(found?.hash).toEqual(init.endCell().hash());
    expect(sliceOf(cells, found!.part).bitsLeft).toBe(5);
    expect(found?.state).toMatchObject({ fixedPrefixLength: undefined, special: undefined, data: -1 });
    expect(cells.hash(found!.state!.library)).toEqual(code.hash());
    expect(bodyHash).toEqual(beginCell().storeUint(7, 9).endCell().hash());
  });

  it('a library reference as body or init has only hashes', () => {
    const library = beginCell().storeUint(2, 8).storeUint(0xabcdef, 256).endCell({ exotic: true });
    const message = read(
      external().storeUint(0b11, 2).storeRef(library).storeBit(1).storeRef(library).endCell(),
    );
    expect(message.bodyHash).toEqual(library.hash());
    expect(message.init).toMatchObject({ hash: library.hash(), state: undefined });
    expect(message.opcode).toBeUndefined();
    expect(() => sliceOf(message.cells, message.body)).toThrow(CellError);
  });

  it('a pruned body has its hash, and so has the message', () => {
    const body = beginCell().storeUint(1, 32).storeRef(beginCell()).endCell();
    const cell = external().storeUint(0b01, 2).storeRef(body).endCell();
    const bag = readBoc(merkleProof(cell, [body]).toBoc());
    const message = readMessage(bag, bag.ref(bag.root, 0));
    expect(message.bodyHash).toEqual(body.hash());
    expect(message.hash).toEqual(cell.hash());
    expect(message.opcode).toBeUndefined();
    expect(normalizedHash(message)).toEqual(cell.hash());
  });

  it.each([0, 31])('a body of %i bits has no opcode', (bits) => {
    const body = beginCell().storeUint(0, bits).endCell();
    expect(read(external().storeUint(0b00, 2).storeBits(body.bits).endCell()).opcode).toBeUndefined();
    expect(read(external().storeUint(0b01, 2).storeRef(body).endCell()).opcode).toBeUndefined();
  });
});

describe('normalizedHash', () => {
  const vector = 'te6cckEBAQEAKQAATYgBB7+qpcxuU2jl+XmRiL15jNIuBKsW0djqT8N0gHQeY1AG9W33fOuLgbE=';
  it('normalises a message with an inline body', () => {
    const message = read(Cell.fromBase64(vector));
    expect(message.hash.toString('base64')).toBe('vuZPCcyYFV9nYC0oSOnpsvkJXJlIamIWhnAi/jvoMcU=');
    expect(normalizedHash(message).toString('base64')).toBe('KvF3MY2lIx25hPdX4wZgGk2v4EnpGTqCX/sKE/Z2naw=');
  });

  it('does not depend on source, fee, init and whether the body is inline', () => {
    const { dest } = MESSAGES.external.info;
    const { body } = MESSAGES.log;
    const head = (source: number, sourceBits: number, fee: number) =>
      beginCell().storeUint(0b10, 2).storeUint(source, sourceBits).storeAddress(dest).storeCoins(fee);
    const plain = head(0, 2, 0).storeUint(0b01, 2).storeRef(body).endCell();
    const forms = [
      plain,
      head(0, 2, 0).storeUint(0b00, 2).storeBits(body.bits).endCell(),
      head(0b01_000000111_1010101, 18, 12345).storeUint(0b01, 2).storeRef(body).endCell(),
      head(0, 2, 1)
        .storeUint(0b11, 2)
        .storeRef(beginCell().storeUint(0, 5))
        .storeBit(1)
        .storeRef(body)
        .endCell(),
    ];
    for (const form of forms) expect(normalizedHash(read(form))).toEqual(plain.hash());
  });

  it('keeps a destination with an anycast prefix or of variable length', () => {
    for (const dest of [
      beginCell().storeUint(0b10_1_00011_101, 11).storeInt(-1, 8).storeUint(9, 256),
      beginCell().storeUint(0b11_0, 3).storeUint(5, 9).storeInt(77, 32).storeUint(3, 5),
    ]) {
      const body = beginCell().storeUint(9, 40).endCell();
      const cell = (tail: string) => {
        const start = beginCell().storeUint(0b10_00, 4).storeBuilder(dest).storeCoins(0);
        return (
          tail === 'inline'
            ? start.storeUint(0, 2).storeBits(body.bits)
            : start.storeUint(1, 2).storeRef(body)
        ).endCell();
      };
      expect(normalizedHash(read(cell('inline')))).toEqual(cell('reference').hash());
    }
  });

  it('is the plain hash of other messages', () => {
    for (const message of [MESSAGES.internal, MESSAGES.log]) {
      const cell = beginCell().store(storeMessage(message)).endCell();
      expect(normalizedHash(read(cell))).toEqual(cell.hash());
    }
  });

  it('throws without a destination', () => {
    const cell = beginCell().storeUint(0b10_00_00, 6).storeCoins(0).storeUint(0, 2).endCell();
    expect(() => normalizedHash(read(cell))).toThrow(CellError);
  });
});
