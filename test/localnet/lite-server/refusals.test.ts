import { afterEach, describe, expect, it, vi } from 'vitest';
import { MASTERCHAIN, WHOLE_SHARD } from '../../../src/chain/block-id.ts';
import { decodeLiteError } from '../../../src/chain/tl/lite-envelope.ts';
import { LiteRefusal } from '../../../src/localnet/lite-server/methods/method-context.ts';
import { LEFT } from '../../support/chain-builder/sample-chain.ts';
import { sampleStore } from '../support/sample-store.ts';
import { answersFrom } from './support/answers.ts';

const ONES = '1'.repeat(64);
const unknown = {
  workchain: MASTERCHAIN,
  shard: WHOLE_SHARD,
  seqno: 5,
  rootHash: Buffer.from(ONES, 'hex'),
  fileHash: Buffer.from(ONES, 'hex'),
};
/** An external message to an account of zeros, as a bag of cells; its last bits are the body's. */
const MESSAGE = Buffer.from(
  'b5ee9c7201010101002900004d88000000000000000000000000000000000000000000000000000000000000000000000000003c',
  'hex',
);

const { chain, store } = sampleStore();
const answers = answersFrom(store);

/** The error for bytes that are no good request. */
async function errorFor(hex: string) {
  return decodeLiteError(await answers.bytes(Buffer.from(hex, 'hex')));
}

describe('malformed requests to the lite server', () => {
  it.each([
    ['no bytes', '', 'Not enough data to read at 0'],
    ['bytes too many', '345aad1600000000', 'Too much data to fetch at 4'],
    [
      'too few bytes',
      '0dcf7763ffffffff00000000000000807d000000313700e3c9757e3d',
      'Not enough data to read at 20',
    ],
    ['a function that does not exist', 'deadbeef', 'Unknown constructor found 0xefbeadde at 4'],
    ['a wait for nothing', '92b8eaba01000000e8030000', 'Not enough data to read at 0'],
  ])('%s', async (_what, hex, message) => {
    expect(await errorFor(hex)).toEqual({ code: 0, message });
  });
});

describe('missing blocks', () => {
  it('are refused with their id and how far the chain goes', async () => {
    expect(await answers.refusal({ method: 'getBlock', id: unknown })).toEqual({
      code: 651,
      message: 'block handle not in db',
    });
    const future = { ...unknown, seqno: 9999 };
    expect((await answers.refusal({ method: 'getBlockHeader', id: future, mode: 0 })).message).toBe(
      'block handle not in db (last known masterchain block: 7)',
    );
    const ahead = { ...unknown, workchain: 0, seqno: 99 };
    expect((await answers.refusal({ method: 'getBlock', id: ahead })).message).toBe(
      'block handle not in db (possibly out of sync: shard_client_seqno=7 ls_seqno=7)',
    );
    expect(await answers.refusal({ method: 'getConfigAll', id: unknown, mode: 0 })).toEqual({
      code: 651,
      message: `cannot load block (-1,8000000000000000,5):${ONES}:${ONES} : block handle not in db`,
    });
    expect(await answers.refusal({ method: 'getBlock', id: chain.zeroState.id })).toEqual({
      code: 651,
      message: 'not in db',
    });
  });

  it('are refused if their id is impossible', async () => {
    const names = [
      { ...unknown, shard: 0n },
      { ...unknown, shard: LEFT },
      { ...unknown, seqno: -2 },
      { ...unknown, rootHash: Buffer.alloc(32) },
      { ...unknown, workchain: 0, shard: 1n },
    ];
    for (const id of names)
      expect(await answers.refusal({ method: 'getBlock', id })).toEqual({
        code: -400,
        message: 'invalid BlockIdExt',
      });
    const { id } = chain.shardBlocks[0]!;
    expect((await answers.refusal({ method: 'getAllShardsInfo', id })).message).toBe(
      'reference block must belong to the masterchain',
    );
    const large = { ...unknown, seqno: 1001 };
    expect((await answers.refusal({ method: 'getState', id: large })).message).toBe(
      'cannot request total state: possibly too large',
    );
  });

  it('are not found by look-ups', async () => {
    const at = (workchain: number, seqno: number) => ({ workchain, shard: WHOLE_SHARD, seqno });
    const texts: [Parameters<typeof answers.refusal>[0], string][] = [
      [
        { method: 'lookupBlock', mode: 1, id: at(-1, 0) },
        '(-1,8000000000000000) seqno=0: ltdb: block not found',
      ],
      [
        { method: 'lookupBlock', mode: 1, id: at(-1, 8) },
        '(-1,8000000000000000) seqno=8: ltdb: block not found (last known masterchain block: 7)',
      ],
      [{ method: 'lookupBlock', mode: 1, id: at(7, 5) }, '(7,8000000000000000) seqno=5: seqno not in db'],
      [{ method: 'lookupBlock', mode: 2, id: at(7, 0), lt: 5n }, '(7,8000000000000000) lt=5: lt not in db'],
      [
        { method: 'lookupBlock', mode: 4, id: at(7, 0), utime: 5 },
        '(7,8000000000000000) utime=5: ts not in db',
      ],
      [
        { method: 'lookupBlock', mode: 2, id: at(0, 0), lt: -1n },
        '(0,8000000000000000) lt=18446744073709551615: ltdb: block not found (possibly out of sync: shard_client_seqno=7 ls_seqno=7)',
      ],
    ];
    for (const [request, text] of texts)
      expect(await answers.refusal(request)).toEqual({ code: 651, message: `cannot find block ${text}` });
    expect(await answers.refusal({ method: 'lookupBlock', mode: 0, id: at(-1, 1) })).toEqual({
      code: -400,
      message: 'exactly one of mode.0, mode.1 and mode.2 bits must be set',
    });
  });
});

describe('missing accounts and transactions', () => {
  const { left, right } = chain.accounts;
  const { lt, hash } = chain.transactions.find(({ account }) => account.hash.equals(left.hash))!;

  it('are refused with the texts of a node', async () => {
    const id = chain.shardBlocks.find((block) => block.id.shard === LEFT)!.id;
    expect((await answers.refusal({ method: 'getAccountState', id, account: right })).message).toBe(
      'requested account id is not contained in the shard of the reference block',
    );
    expect((await answers.refusal({ method: 'getOneTransaction', id, account: right, lt })).message).toBe(
      'requested account id is not contained in the shard of the specified block',
    );
    const history = { method: 'getTransactions', account: left, lt, hash, count: 1 } as const;
    expect((await answers.refusal({ ...history, hash: Buffer.alloc(32) })).message).toBe(
      'transaction hash mismatch',
    );
    expect((await answers.refusal({ ...history, lt: lt + 1n })).message).toBe(
      'cannot locate transaction in block with specified logical time',
    );
    expect((await answers.refusal({ ...history, lt: 2n ** 62n })).message).toMatch(
      /^cannot compute block with specified transaction: cannot find block \(0,22/,
    );
    expect(await answers.ask({ ...history, lt: 0n })).toEqual({ ids: [], transactions: Buffer.alloc(0) });
  });

  it('are refused in states that are no longer stored', async () => {
    const { store: short, steps } = sampleStore(0);
    const [{ masterchain, shards }] = steps as [(typeof steps)[0]];
    short.append({ masterchain: { ...masterchain, state: 'none' }, shards });
    short.append(steps[1]!);
    const { code, message } = await answersFrom(short).refusal({
      method: 'getConfigAll',
      id: chain.masterchain[0]!.id,
      mode: 0,
    });
    expect(code).toBe(602);
    expect(message).toMatch(/^cannot load state for \(-1,8000000000000000,1\):.* : state already gc'd$/);
  });
});

describe('external messages to the lite server', () => {
  it('are refused by a recording, and if they are malformed', async () => {
    const send = (body: Buffer) => answers.refusal({ method: 'sendMessage', body });
    const prefix = 'cannot apply external message to current state : ';
    expect(await send(Buffer.from('not a boc'))).toEqual({
      code: 0,
      message: `${prefix}cannot deserialize bag-of-cells: invalid header, error 0`,
    });
    expect((await send(Buffer.from('b5ee9c7201010101000600000800000000', 'hex'))).message).toBe(
      `${prefix}external message must begin with ext_in_msg_info$10`,
    );
    expect((await send(Buffer.alloc(70_000))).message).toBe(`${prefix}external message too large, rejecting`);
  });

  it('reach the chain once', async () => {
    const taken: Buffer[] = [];
    const sendMessage = async (body: Buffer) => {
      if (taken.length === 2) throw new LiteRefusal(-701, 'External message was not accepted');
      taken.push(body);
    };
    const open = answersFrom(store, { sendMessage });
    const bodies = [0, 1, 2].map((number) => externalMessage(number));
    for (const body of bodies.slice(0, 2))
      expect(await open.ask({ method: 'sendMessage', body })).toEqual({ status: 1 });
    expect(taken).toEqual(bodies.slice(0, 2));
    expect(await open.refusal({ method: 'sendMessage', body: bodies[0]! })).toEqual({
      code: 0,
      message: 'cannot send external message : duplicate message',
    });
    // One that was not taken may come again.
    for (let i = 0; i < 2; i++)
      expect(await open.refusal({ method: 'sendMessage', body: bodies[2]! })).toEqual({
        code: -701,
        message: 'cannot apply external message to current state : External message was not accepted',
      });
  });
});

/** An external message whose body ends with a number. */
function externalMessage(number: number): Buffer {
  const message = Buffer.from(MESSAGE);
  message[message.length - 1] = 8 * number + 4;
  return message;
}

describe('get-methods of the lite server', () => {
  const call = {
    method: 'runSmcMethod',
    id: store.head,
    account: chain.accounts.left,
    methodId: 85143n,
  } as const;
  const params = Buffer.alloc(0);

  it('are refused without a TVM, and with wrong arguments', async () => {
    expect((await answers.refusal({ ...call, mode: 4, params })).message).toBe(
      'this server does not run get-methods',
    );
    expect((await answers.refusal({ ...call, mode: 4, params: Buffer.from('junk') })).message).toBe(
      'cannot deserialize parameter list boc: [Error : 0 : cannot deserialize bag-of-cells: invalid header, error 0]',
    );
    const emptyCell = Buffer.from('b5ee9c72010101010002000000', 'hex');
    expect((await answers.refusal({ ...call, mode: 4, params: emptyCell })).message).toBe(
      'parameter list boc cannot be deserialized as a VmStack',
    );
    expect((await answers.refusal({ ...call, mode: 4, params: Buffer.alloc(65536) })).message).toBe(
      'more than 64k parameter bytes passed',
    );
    expect((await answers.refusal({ ...call, mode: 64, params })).message).toBe(
      'unsupported mode in runSmcMethod',
    );
  });

  afterEach(() => vi.useRealTimers());

  it('time out', async () => {
    vi.useFakeTimers();
    const slow = answersFrom(store, { runGetMethod: () => new Promise(() => {}) });
    const refused = slow.refusal({ ...call, mode: 4, params });
    await vi.advanceTimersByTimeAsync(4500);
    expect(await refused).toEqual({ code: -503, message: 'timeout' });
  });

  it('do not show internal errors', async () => {
    const runGetMethod = async () => {
      throw new Error('secret');
    };
    const broken = answersFrom(store, { runGetMethod });
    expect(await broken.refusal({ ...call, mode: 4, params })).toEqual({
      code: 601,
      message: 'internal error',
    });
    expect(broken.log.texts()).toEqual(['Lite server query failed']);
  });
});

it('requests for too much get the first part', async () => {
  const list = Array.from({ length: 40 }, (_, i) => Buffer.alloc(32, i));
  expect(await answers.ask({ method: 'getLibraries', libraryList: list })).toEqual({ result: [] });
  const tooLong = Array.from({ length: 257 }, (_, i) => i);
  const request = { method: 'getConfigParams', mode: 0, id: store.head, paramList: tooLong } as const;
  expect((await answers.refusal(request)).message).toBe('too long param list');
});
