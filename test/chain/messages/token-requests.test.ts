import {
  Address,
  type Builder,
  beginCell,
  Cell,
  ExternalAddress,
  type Message,
  type TransactionDescription,
} from '@ton/core';
import { describe, expect, it } from 'vitest';
import { accountKey } from '../../../src/chain/address.ts';
import { readBoc } from '../../../src/chain/boc/bag.ts';
import { writeBoc } from '../../../src/chain/boc/writer.ts';
import { payloadBag, readTokenRequest } from '../../../src/chain/messages/token-requests.ts';
import { readTransaction } from '../../../src/chain/tlb/transaction.ts';
import {
  ACCOUNT,
  DESCRIPTIONS,
  MESSAGES,
  transactionCell,
  transactionOf,
} from '../support/transaction-samples.ts';

const JETTON_TRANSFER = 0x0f8a7ea5;
const JETTON_BURN = 0x595f07bc;
const NFT_TRANSFER = 0x5fcc3d14;
const ORDINARY = { ...DESCRIPTIONS['no phases'], aborted: false } as TransactionDescription;

const keyOf = (address: Address): Buffer => accountKey(address.workChain, address.hash);
const TO = new Address(0, Buffer.alloc(32, 0x11));
const RESPONSE = new Address(-1, Buffer.alloc(32, 0x22));
const CUSTOM = beginCell().storeUint(5, 8).storeRef(beginCell().storeUint(6, 8)).endCell();
const FORWARD = beginCell().storeUint(0, 32).storeStringTail('hello').endCell();

interface Circumstances {
  readonly description?: TransactionDescription;
  readonly endStatus?: 'active' | 'uninitialized' | 'frozen' | 'non-existing';
  readonly message?: (body: Cell) => Message;
}

const internal = (body: Cell): Message => ({
  info: { ...MESSAGES.internal.info, src: RESPONSE, dest: ACCOUNT, createdLt: 3n },
  body,
});

/** The request of a transaction, with its payloads as bags of cells. */
function requestOf(body: Builder, circumstances: Circumstances = {}) {
  const { description = ORDINARY, endStatus = 'active', message = internal } = circumstances;
  const transaction = transactionOf(description, { lt: 50n, in: message(body.endCell()) });
  const bag = readBoc(transactionCell({ ...transaction, endStatus }).toBoc());
  const read = readTransaction(bag, bag.root, 0);
  const request = readTokenRequest(read);
  return (
    request && {
      ...request,
      customPayload: payloadBag(read, request.customPayload),
      forwardPayload: payloadBag(read, request.forwardPayload),
    }
  );
}

const tonlibBag = (cell: Cell): Buffer => {
  const bag = readBoc(cell.toBoc());
  return writeBoc({ cells: bag, roots: [bag.root] }, { order: 'tonlib' });
};
const head = (opcode: number): Builder =>
  beginCell()
    .storeUint(opcode, 32)
    .storeUint(2n ** 64n - 1n, 64);
const transfer = (): Builder => head(JETTON_TRANSFER).storeCoins(2n ** 120n - 1n);
const burn = (): Builder => head(JETTON_BURN).storeCoins(77n);

const BASE = {
  aborted: false,
  queryId: 2n ** 64n - 1n,
  source: keyOf(RESPONSE),
  outside: {},
};

describe('readTokenRequest', () => {
  const transfers: readonly [string, Builder, ReturnType<typeof requestOf>][] = [
    [
      'a transfer of a jetton',
      transfer().storeAddress(TO).storeAddress(RESPONSE).storeMaybeRef(CUSTOM).storeCoins(9n),
      {
        ...BASE,
        kind: 'jetton_transfer',
        amount: 2n ** 120n - 1n,
        destination: keyOf(TO),
        responseDestination: keyOf(RESPONSE),
        customPayload: tonlibBag(CUSTOM),
        forwardAmount: 9n,
        forwardPayload: tonlibBag(FORWARD),
      },
    ],
    [
      'a transfer of an NFT',
      head(NFT_TRANSFER).storeAddress(TO).storeAddress(RESPONSE).storeMaybeRef(CUSTOM).storeCoins(9n),
      {
        ...BASE,
        kind: 'nft_transfer',
        amount: undefined,
        destination: keyOf(TO),
        responseDestination: keyOf(RESPONSE),
        customPayload: tonlibBag(CUSTOM),
        forwardAmount: 9n,
        forwardPayload: tonlibBag(FORWARD),
      },
    ],
  ];

  it.each(transfers)('reads %s', (_, body, request) => {
    expect(requestOf(beginCell().storeBuilder(body).storeMaybeRef(FORWARD))).toEqual(request);
  });

  it.each(transfers)('reads %s with an inline payload, which is dropped', (_, body, request) => {
    const inline = beginCell().storeBuilder(body).storeBit(0).storeUint(0, 32).storeStringTail('hi');
    expect(requestOf(inline)).toEqual({ ...request, forwardPayload: undefined });
  });

  it.each(transfers)('reads %s with trailing data', (_, body, request) => {
    const more = beginCell().storeBuilder(body).storeMaybeRef(FORWARD).storeUint(1, 20).storeRef(CUSTOM);
    expect(requestOf(more)).toEqual(request);
  });

  it('reads a burn with trailing data', () => {
    const body = burn().storeAddress(RESPONSE).storeMaybeRef(CUSTOM).storeUint(1, 7).storeRef(FORWARD);
    const nothing = { destination: undefined, forwardAmount: undefined, forwardPayload: undefined };
    expect(requestOf(body)).toEqual({
      ...BASE,
      kind: 'jetton_burn',
      amount: 77n,
      ...nothing,
      responseDestination: keyOf(RESPONSE),
      customPayload: tonlibBag(CUSTOM),
    });
  });

  it('accepts addr_none and external addresses', () => {
    const outside = new ExternalAddress(5n, 20);
    const shown = { kind: 'extern', bits: 20, value: Buffer.from('000050', 'hex') };
    const cases: [ExternalAddress | null, ExternalAddress | null, object][] = [
      [null, null, {}],
      [outside, null, { destination: shown }],
      [null, outside, { responseDestination: shown }],
    ];
    for (const [to, response, expected] of cases)
      expect(
        requestOf(
          transfer()
            .storeAddress(to)
            .storeAddress(response)
            .storeUint(0, 1 + 4 + 1),
        ),
      ).toMatchObject({
        destination: undefined,
        responseDestination: undefined,
        outside: expected,
        customPayload: undefined,
        forwardAmount: 0n,
        forwardPayload: undefined,
      });
  });

  it('accepts an exotic cell as payload', () => {
    const library = beginCell().storeUint(2, 8).storeBuffer(Buffer.alloc(32, 3)).endCell({ exotic: true });
    const request = requestOf(burn().storeAddress(null).storeMaybeRef(library));
    const [root] = Cell.fromBoc(request!.customPayload!);
    expect(root!.hash()).toEqual(library.hash());
    expect(request!.customPayload![4]! & 0x40).toBe(0x40);
  });

  it('ignores truncated requests and other address forms', () => {
    const whole = transfer().storeAddress(TO).storeAddress(null).storeUint(0, 1).storeCoins(1n).storeBit(0);
    const bits = whole.asSlice().loadBits(whole.bits);
    for (const length of [32, 40, 96, 98, 130, 216, 218, 350, 482, 485, 486, 487, whole.bits - 1])
      expect(requestOf(beginCell().storeBits(bits.substring(0, length))), `${length} bits`).toBeUndefined();
    expect(requestOf(beginCell().storeBits(bits))).toBeDefined();
    const withoutCell = transfer().storeUint(0, 2).storeUint(0, 2).storeBit(1).storeCoins(1n).storeBit(0);
    expect(requestOf(withoutCell)).toBeUndefined();
    const payloadGone = transfer().storeUint(0, 2).storeUint(0, 2).storeBit(0).storeCoins(1n).storeBit(1);
    expect(requestOf(payloadGone)).toBeUndefined();
    const anycast = beginCell().storeUint(0b101, 3).storeUint(4, 5).storeUint(9, 4).storeUint(0, 264);
    const variable = beginCell()
      .storeUint(0b110, 3)
      .storeUint(256, 9)
      .storeUint(0, 32 + 256);
    for (const address of [anycast, variable]) {
      expect(requestOf(burn().storeBuilder(address).storeBit(0))).toBeUndefined();
      const nft = head(NFT_TRANSFER)
        .storeBuilder(address)
        .storeUint(0, 2 + 1 + 4 + 1);
      expect(requestOf(nft)).toBeUndefined();
    }
  });

  it('ignores other messages', () => {
    const rest = transfer().storeUint(0, 2 + 2 + 1 + 4 + 1);
    const bits = rest.asSlice();
    expect(requestOf(beginCell().storeUint(0xffffffff, 32).storeSlice(bits))).toBeUndefined();
    expect(requestOf(beginCell().storeUint(0x178d4519, 32).storeSlice(bits.skip(32)))).toBeUndefined();
    expect(requestOf(beginCell())).toBeUndefined();
    const external = (body: Cell): Message => ({ ...MESSAGES.external, body });
    expect(requestOf(rest, { message: external })).toBeUndefined();
    expect(requestOf(rest)).toBeDefined();
  });

  it('requires an ordinary transaction and an active account', () => {
    const jetton = transfer().storeUint(0, 2 + 2 + 1 + 4 + 1);
    const nft = head(NFT_TRANSFER).storeUint(0, 2 + 2 + 1 + 4 + 1);
    const aborted = DESCRIPTIONS['bad state, bounce with negative funds']!;
    for (const body of [jetton, nft]) {
      expect(requestOf(body, { description: aborted })).toMatchObject({ aborted: true });
      for (const endStatus of ['uninitialized', 'frozen', 'non-existing'] as const)
        expect(requestOf(body, { endStatus })).toBeUndefined();
    }
    for (const name of ['tock', 'split prepare', 'storage']) {
      expect(requestOf(jetton, { description: DESCRIPTIONS[name]! })).toBeUndefined();
      expect(requestOf(nft, { description: DESCRIPTIONS[name]! })).toMatchObject({ aborted: false });
    }
  });
});
