import { Address, type Builder, beginCell, Cell } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { readExternalMessage } from '../../src/live/external-messages.ts';
import { readBag } from '../../src/v2/messages.ts';

const ACCOUNT = Address.parse('EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N');

const read = (boc: Buffer) => readExternalMessage(readBag('body', boc));
const readBits = (builder: Builder) => read(builder.endCell().toBoc());
/** The header of an external message up to its import fee. */
const external = () => beginCell().storeUint(0b10_00, 4).storeAddress(ACCOUNT).storeCoins(0);

describe('readExternalMessage', () => {
  it('returns the hashes of the message and of its normal form', () => {
    const boc = 'te6cckEBAQEAKQAATYgBB7+qpcxuU2jl+XmRiL15jNIuBKsW0djqT8N0gHQeY1AG9W33fOuLgbE=';
    const { hash, normalizedHash } = read(Buffer.from(boc, 'base64'));
    expect(hash.toString('base64')).toBe('vuZPCcyYFV9nYC0oSOnpsvkJXJlIamIWhnAi/jvoMcU=');
    expect(normalizedHash.toString('base64')).toBe('KvF3MY2lIx25hPdX4wZgGk2v4EnpGTqCX/sKE/Z2naw=');
  });

  it('writes the message as tonlib does, without a checksum', () => {
    const { boc } = readBits(external().storeBit(0).storeBit(0).storeUint(7, 32));
    expect(boc.toString('base64')).toMatch(/^te6ccgEBAQEA/);
    expect(Cell.fromBoc(boc)[0]!.refs).toHaveLength(0);
  });

  it('rejects a message with too many cells with the error text of a node', () => {
    const chains = Array.from({ length: 20 }, (_, i) => {
      let chain = beginCell().storeUint(i, 32).endCell();
      for (let depth = 0; depth < 900; depth++)
        chain = beginCell().storeUint(depth, 32).storeRef(chain).endCell();
      return chain;
    });
    while (chains.length > 1)
      chains.push(beginCell().storeRef(chains.shift()!).storeRef(chains.shift()!).endCell());
    const boc = external().storeBit(0).storeBit(1).storeRef(chains[0]!).endCell().toBoc();
    expect(() => read(boc)).toThrow('external message too large, rejecting');
  });

  it.each<[string, Builder, string]>([
    ['an empty cell', beginCell(), 'Failed to unpack Message'],
    ['a header alone', external(), 'Failed to unpack Message'],
    [
      'data after its body',
      external().storeBit(0).storeBit(1).storeRef(Cell.EMPTY).storeBit(1),
      'Failed to unpack Message',
    ],
    [
      'a message that an account would send from outside',
      beginCell()
        .storeUint(0b10, 2)
        .storeAddress(ACCOUNT)
        .storeAddress(ACCOUNT)
        .storeCoins(0)
        .storeUint(0, 2),
      'Failed to unpack Message',
    ],
    [
      'a message to nobody',
      beginCell().storeUint(0b10_00_00, 6).storeCoins(0).storeUint(0, 2),
      'Failed to unpack Message',
    ],
    [
      'a message between accounts',
      beginCell()
        .storeUint(0b0100, 4)
        .storeAddress(ACCOUNT)
        .storeAddress(ACCOUNT)
        .storeCoins(1)
        .storeBit(0)
        .storeCoins(0)
        .storeCoins(0)
        .storeUint(0, 64 + 32)
        .storeUint(0, 2),
      'CommonMsgInfo tag is not ext_in_msg_info',
    ],
    [
      'a message to the outside',
      beginCell()
        .storeUint(0b11, 2)
        .storeAddress(ACCOUNT)
        .storeUint(0, 2 + 64 + 32)
        .storeUint(0, 2),
      'CommonMsgInfo tag is not ext_in_msg_info',
    ],
  ])('rejects an invalid message with the error text of tonlib: %s', (_what, builder, text) => {
    expect(() => readBits(builder)).toThrow(text);
  });

  it('rejects a library cell', () => {
    const library = beginCell().storeUint(2, 8).storeBuffer(Buffer.alloc(32)).endCell({ exotic: true });
    expect(() => read(library.toBoc())).toThrow('Failed to unpack Message');
  });

  it('rejects a message with an invalid Merkle proof inside', () => {
    const proof = beginCell().storeUint(3, 8).storeUint(1, 256).storeUint(0, 16).storeRef(Cell.EMPTY);
    const boc = forge(proof);
    expect(() => read(boc)).toThrow(/^INVALID_BAG_OF_CELLS: body/);
  });
});

/** A bag with a Merkle proof as its root, valid or not. */
function forge(proof: Builder): Buffer {
  const { bits } = proof.endCell();
  const data = Buffer.from(bits.toString(), 'hex');
  const cells = Buffer.concat([Buffer.from([0x09, data.length * 2]), data, Buffer.from([1, 0, 0])]);
  return Buffer.concat([Buffer.from('b5ee9c7201010201', 'hex'), Buffer.from([0, cells.length, 0]), cells]);
}
