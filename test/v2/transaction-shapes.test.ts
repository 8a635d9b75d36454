import {
  Address,
  Builder,
  beginCell,
  Cell,
  Dictionary,
  ExternalAddress,
  type Message,
  storeMessage,
  storeTransaction,
  type Transaction,
} from '@ton/core';
import { describe, expect, it } from 'vitest';
import { fromCoreCell } from '../../src/chain/boc/ton-core.ts';
import { readMessage } from '../../src/chain/tlb/message.ts';
import { readTransaction } from '../../src/chain/tlb/transaction.ts';
import { compileSerializer } from '../../src/http/serializer.ts';
import {
  ExtMessage,
  extMessage,
  RawMessage,
  rawMessage,
  rawTransaction,
  TransactionWriter,
} from '../../src/v2/transaction-shapes.ts';

const SOURCE = 'EQBCK64tdyyebnjkNYbgzfKv7lb2CL68jP7nDy62QnT3r3a6';
const DESTINATION = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N';
const NOTHING = beginCell().endCell();

const asExt = compileSerializer(ExtMessage);
const asRaw = compileSerializer(RawMessage);

/** The message in a cell in both forms of v2. */
function written(cell: Cell) {
  const bag = fromCoreCell(cell);
  const message = readMessage(bag, bag.root);
  return { ext: JSON.parse(asExt(extMessage(message))), raw: JSON.parse(asRaw(rawMessage(message))) };
}

function internal(parts: {
  body?: Cell;
  coins?: bigint;
  init?: Message['init'];
  other?: [number, bigint][];
  /** Stores init and body in separate cells. */
  forceRef?: boolean;
}) {
  const other = Dictionary.empty(Dictionary.Keys.Uint(32), Dictionary.Values.BigVarUint(5));
  for (const [id, amount] of parts.other ?? []) other.set(id, amount);
  const message: Message = {
    info: {
      type: 'internal',
      ihrDisabled: true,
      bounce: true,
      bounced: false,
      src: Address.parse(SOURCE),
      dest: Address.parse(DESTINATION),
      value: { coins: parts.coins ?? 5n, other: parts.other ? other : null },
      ihrFee: 3n,
      forwardFee: 266_669n,
      createdLt: 47_842_330_000_004n,
      createdAt: 1_755_516_040,
    },
    init: parts.init ?? null,
    body: parts.body ?? NOTHING,
  };
  return beginCell()
    .store(storeMessage(message, { forceRef: parts.forceRef ?? false }))
    .endCell();
}

const body = (op: number) => beginCell().storeUint(op, 32);
const content = (cell: Cell) => {
  const { ext, raw } = written(internal({ body: cell, forceRef: cell.isExotic }));
  expect(raw.msg_data).toEqual(ext.msg_data);
  expect(raw).not.toHaveProperty('message');
  return { data: ext.msg_data, message: ext.message };
};

describe('message header in v2 transactions', () => {
  it('shows source, destination and amounts of an internal message', () => {
    const cell = internal({ coins: 1_000_000_000n });
    const { ext, raw } = written(cell);
    const rest = {
      hash: cell.hash().toString('base64'),
      value: '1000000000',
      extra_currencies: [],
      fwd_fee: '266669',
      ihr_fee: '0',
      created_lt: '47842330000004',
      body_hash: NOTHING.hash().toString('base64'),
      msg_data: { '@type': 'msg.dataRaw', body: 'te6cckEBAQEAAgAAAEysuc0=', init_state: '' },
    };
    expect(ext).toEqual({
      '@type': 'ext.message',
      source: SOURCE,
      destination: DESTINATION,
      ...rest,
      message: '',
    });
    expect(raw).toEqual({
      '@type': 'raw.message',
      source: { '@type': 'accountAddress', account_address: SOURCE },
      destination: { '@type': 'accountAddress', account_address: DESTINATION },
      ...rest,
    });
  });

  it('shows amounts above 64 bits and extra currencies', () => {
    const most = 2n ** 120n - 1n;
    const { ext } = written(
      internal({
        coins: most,
        other: [
          [239, 2n ** 64n],
          [0xffffffef, 7n],
        ],
      }),
    );
    expect(ext.value).toBe(String(most));
    expect(ext.extra_currencies).toEqual([
      { '@type': 'extraCurrency', id: 239, amount: '18446744073709551616' },
      { '@type': 'extraCurrency', id: -17, amount: '7' },
    ]);
  });

  it('shows one address of an external message', () => {
    const outside = new ExternalAddress(77n, 8);
    const [src, dest] = [Address.parse(SOURCE), Address.parse(DESTINATION)];
    const into: Message = { info: { type: 'external-in', src: outside, dest, importFee: 9n }, body: NOTHING };
    expect(written(beginCell().store(storeMessage(into)).endCell()).ext).toMatchObject({
      source: '',
      destination: DESTINATION,
      value: '0',
      fwd_fee: '0',
      created_lt: '0',
    });
    const times = { createdLt: 12n, createdAt: 13 };
    const out: Message = { info: { type: 'external-out', src, dest: outside, ...times }, body: NOTHING };
    const { ext, raw } = written(beginCell().store(storeMessage(out)).endCell());
    expect(ext).toMatchObject({ source: SOURCE, destination: '', value: '0', created_lt: '12' });
    expect(raw.destination).toEqual({ '@type': 'accountAddress', account_address: '' });
  });

  it('shows addr_var as empty and an anycast address as written', () => {
    const { workChain, hash } = Address.parse(DESTINATION);
    const cell = beginCell()
      .storeUint(0b0110, 4)
      // addr_var with an anycast prefix of 5 bits and an account of 12
      .storeUint(0b11, 2)
      .storeUint(0b1_00101_11111, 11)
      .storeUint(12, 9)
      .storeInt(0, 32)
      .storeUint(0xabc, 12)
      // addr_std with an anycast prefix of 3 bits
      .storeUint(0b10, 2)
      .storeUint(0b1_00011_101, 9)
      .storeInt(workChain, 8)
      .storeBuffer(hash)
      .storeCoins(1n)
      .storeBit(0)
      .storeCoins(0n)
      .storeCoins(0n)
      .storeUint(1, 64)
      .storeUint(1, 32)
      .storeUint(0, 2)
      .endCell();
    expect(written(cell).ext).toMatchObject({ source: '', destination: DESTINATION });
  });
});

describe('message body in v2 transactions', () => {
  it('is shown as text for a comment', () => {
    expect(content(body(0).storeStringTail('hi').endCell())).toEqual({
      data: { '@type': 'msg.dataText', text: 'aGk=' },
      message: 'hi',
    });
    expect(content(body(0).endCell())).toEqual({ data: { '@type': 'msg.dataText', text: '' }, message: '' });
  });

  it('is shown as text for a comment of several cells with any characters', () => {
    const text = `"quoted" \\ \n\u0000\u2028 ${'день '.repeat(100)}`;
    const found = content(body(0).storeStringTail(text).endCell());
    expect(found.message).toBe(text);
    expect(Buffer.from(found.data.text, 'base64').toString()).toBe(text);
  });

  it('is shown as text for a comment whose cells end within a byte', () => {
    const end = beginCell().storeUint(0x9, 4).endCell();
    expect(content(body(0).storeUint(0x686, 12).storeRef(end).endCell()).message).toBe('hi');
  });

  it('has an empty text for a comment that is not UTF-8', () => {
    expect(
      content(
        body(0)
          .storeBuffer(Buffer.from([0xff, 0xfe, 0x41]))
          .endCell(),
      ),
    ).toEqual({
      data: { '@type': 'msg.dataText', text: '//5B' },
      message: '',
    });
  });

  it('has no text for an encrypted comment', () => {
    const { data, message } = content(body(0x2167da4b).storeBuffer(Buffer.alloc(40, 0xee)).endCell());
    expect(data).toEqual({
      '@type': 'msg.dataEncryptedText',
      text: Buffer.alloc(40, 0xee).toString('base64'),
    });
    expect(message).toBeUndefined();
  });

  it('is shown as the bits of the root cell for anything else', () => {
    expect(content(body(0xd53276db).storeUint(7, 64).endCell())).toEqual({
      data: { '@type': 'msg.dataRaw', body: 'te6cckEBAQEADgAAGNUydtsAAAAAAAAABxylUgg=', init_state: '' },
      message: '1TJ22wAAAAAAAAAH\n',
    });
    expect(content(beginCell().storeUint(0b10110, 5).endCell())).toEqual({
      data: { '@type': 'msg.dataRaw', body: 'te6cckEBAQEAAwAAAbScKrQA', init_state: '' },
      message: 'sA==\n',
    });
    const long = beginCell().storeBuffer(Buffer.alloc(120, 1)).storeRef(NOTHING).endCell();
    expect(content(long).message).toBe(`${Buffer.alloc(120, 1).toString('base64')}\n`);
  });

  it('is raw for a comment of partial bytes or in an unreadable cell', () => {
    const library = new Cell({
      exotic: true,
      bits: new Builder().storeUint(2, 8).storeBuffer(Buffer.alloc(32, 5)).endCell().bits,
    });
    for (const cell of [
      body(0).storeUint(1, 3).endCell(),
      body(0).storeStringTail('hi').storeRef(library).endCell(),
    ]) {
      const { data, message } = content(cell);
      expect(Cell.fromBase64(data.body).hash()).toEqual(cell.hash());
      expect(message).toMatch(/^[A-Za-z0-9+/]+={0,2}\n$/);
    }
    // A body whose root is such a cell.
    const { data, message } = content(library);
    expect(Cell.fromBase64(data.body).hash()).toEqual(library.hash());
    expect(Buffer.from(message, 'base64')).toEqual(Buffer.concat([Buffer.from([2]), Buffer.alloc(32, 5)]));
  });

  it('has init_state, except with a text', () => {
    const init = { code: body(1).endCell(), data: body(2).endCell() };
    for (const forceRef of [false, true]) {
      const { ext } = written(internal({ body: body(9).endCell(), init, forceRef }));
      const [code, data] = Cell.fromBase64(ext.msg_data.init_state).refs;
      expect([code, data].map((cell) => cell?.hash())).toEqual([init.code.hash(), init.data.hash()]);
    }
    const { ext } = written(internal({ body: body(0).endCell(), init }));
    expect(ext.msg_data).toEqual({ '@type': 'msg.dataText', text: '' });
  });
});

const ACCOUNT = new Address(0, Buffer.alloc(32, 7));
const MESSAGES = 64;
const MIB = 2 ** 20;

/** A transaction of some hundred kilobytes, whose messages share a long comment. */
function longTransaction() {
  let body = beginCell().endCell();
  for (let i = 0; i < 800; i++) body = beginCell().storeBuffer(Buffer.alloc(127, i)).storeRef(body).endCell();
  body = beginCell().storeUint(0, 32).storeRef(body).endCell();
  const outMessages = Dictionary.empty(Dictionary.Keys.Uint(15), {
    serialize: (message: Message, builder) =>
      void builder.storeRef(beginCell().store(storeMessage(message, { forceRef: true }))),
    parse: () => messageOf(body, 0n),
  });
  for (let i = 0; i < MESSAGES; i++) outMessages.set(i, messageOf(body, BigInt(i)));
  const transaction = {
    address: BigInt(`0x${ACCOUNT.hash.toString('hex')}`),
    lt: 5n,
    prevTransactionHash: 0n,
    prevTransactionLt: 0n,
    now: 6,
    outMessagesCount: MESSAGES,
    oldStatus: 'active',
    endStatus: 'active',
    inMessage: null,
    outMessages,
    totalFees: { coins: 2n ** 63n },
    stateUpdate: { oldHash: Buffer.alloc(32, 1), newHash: Buffer.alloc(32, 2) },
    description: {
      type: 'storage',
      storagePhase: { storageFeesCollected: 1n, statusChange: 'unchanged' },
    },
  } as unknown as Transaction;
  const bag = fromCoreCell(beginCell().store(storeTransaction(transaction)).endCell());
  return readTransaction(bag, bag.root, 0);
}

function messageOf(body: Message['body'], createdLt: bigint): Message {
  return {
    info: {
      type: 'internal',
      ihrDisabled: true,
      bounce: true,
      bounced: false,
      src: ACCOUNT,
      dest: ACCOUNT,
      value: { coins: 1n },
      ihrFee: 0n,
      forwardFee: 2n ** 64n,
      createdLt,
      createdAt: 6,
    },
    body,
  };
}

describe('TransactionWriter', () => {
  it('adds up fees beyond 64 bits', () => {
    const writer = new TransactionWriter(rawTransaction, 'limit');
    writer.add(longTransaction());
    const { fee, other_fee, data, out_msgs } = writer.written[0]!;
    expect(fee).toBe(String(2n ** 63n + BigInt(MESSAGES) * 2n ** 64n));
    expect(other_fee).toBe(String(BigInt(fee) - 1n));
    expect(out_msgs).toHaveLength(MESSAGES);
    expect(data.length).toBeLessThan(MIB);
    expect(JSON.stringify(writer.written).length).toBeGreaterThan(8 * MIB);
  });

  it('throws when the list becomes too long for one response', () => {
    const writer = new TransactionWriter(rawTransaction, 'limit');
    const transaction = longTransaction();
    expect(() => {
      for (let i = 0; i < 20; i++) writer.add(transaction);
    }).toThrow(
      'failed to validate request: limit is too large: these transactions are too long for one answer',
    );
    expect(writer.written.length).toBeLessThan(9);
  });
});
