import { Address } from '@ton/core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AccountId } from '../../../src/chain/address.ts';
import type { CountedDetection } from '../../../src/indexer/detect/create-detection.ts';
import type { ContractColumns, DetectionState, Detector } from '../../../src/indexer/detect/detection.ts';
import { answeringCode } from '../../support/answering-contract.ts';
import { createTestDatabase } from '../../support/database.ts';
import { only } from '../../v2/support/faulty-servers.ts';
import {
  codeOf,
  type DetectionTestContext,
  judge,
  madeAccount,
  numbered,
  openDetectionTestContext,
  stateOf,
} from './support/detecting.ts';
import { int } from './support/stack-items.ts';

let ground: DetectionTestContext;
let detection: CountedDetection;
/** Whom the child asks. */
let parent: AccountId;
let method = 'get_number';

/** A contract that has nothing but another one, whose number it goes by. */
const CHILD: Detector = {
  table: 'jetton_wallets',
  methods: [['get_child']],
  async detect(probe) {
    const other = await probe.beside(parent);
    return { value: (await other.run(method)).integer(0) } as unknown as ContractColumns;
  },
};

const CHILD_CODE = answeringCode({ get_child: [] });
const child = stateOf({ account: 1, code: CHILD_CODE, data: numbered(1) });
const PARENT = madeAccount(7);
const saying = (number: number) => answeringCode({ get_number: [int(number)] });
const idOf = (account: Buffer): AccountId => ({
  workchain: account.readInt8(0),
  hash: account.subarray(1),
});
const idOfAddress = ({ workChain, hash }: Address): AccountId => ({ workchain: workChain, hash });

beforeAll(async () => {
  ground = await openDetectionTestContext();
});
afterAll(() => ground.close());

beforeEach(() => {
  detection = ground.detection([CHILD]);
  parent = idOf(PARENT);
  method = 'get_number';
});
afterEach(async () => {
  ground.servers[0]!.misbehave(undefined);
  const { primary } = ground.base.database;
  for (const table of ['latest_account_states', 'account_data', 'index_chunks'] as const)
    await primary.deleteFrom(table).execute();
});

/** Judges the child, with others if any, and tells what came out. */
async function judged(
  one: ReturnType<CountedDetection['open']>,
  others: readonly DetectionState[] = [],
  codes = [CHILD_CODE],
) {
  const { found, undetected } = await judge(one, [child, ...others], {
    codes: codes.map(codeOf),
    block: ground.pool.head,
  });
  if (undetected.size > 0) return 'undetected';
  return (found[0]?.columns as unknown as { value: bigint } | undefined)?.value;
}

const askedFor = () => ground.servers[0]!.count('getAccountState');

describe('another contract', () => {
  it('is the one of the batch, then the one of the database, then the one of the chain', async () => {
    const one = detection.open({ follows: false });
    await ground.keep(stateOf({ account: PARENT, code: saying(2), data: numbered(0) }), codeOf(saying(2)));
    expect(await judged(one)).toBe(2n);
    const inBatch = stateOf({ account: PARENT, code: saying(3), data: numbered(0) });
    expect(await judged(one, [inBatch], [CHILD_CODE, saying(3)])).toBe(3n);
    // Data that did not change comes from the database.
    expect(await judged(one, [{ ...inBatch, data: undefined }])).toBe(3n);
    const before = askedFor();
    const minter = ground.place('jetton minter');
    parent = idOfAddress(minter);
    method = 'get_jetton_data';
    expect(await judged(one)).toBeTypeOf('bigint');
    expect(askedFor()).toBe(before + 1);
  });

  it('is none where there is no code', async () => {
    const one = detection.open({ follows: false });
    expect(await judged(one)).toBeUndefined();
    expect(await judged(one, [stateOf({ account: PARENT })])).toBeUndefined();
    parent = { workchain: 5, hash: Buffer.alloc(32) };
    expect(await judged(one)).toBeUndefined();
    parent = idOfAddress(Address.parse(`-1:${'33'.repeat(32)}`));
    method = 'no_such_method';
    expect(await judged(one)).toBeUndefined();
  });

  it('is asked of a lite server where the batch or the database have not all of it', async () => {
    const { state, code } = await ground.onChain(ground.place('jetton minter'));
    parent = idOf(state.account);
    method = 'get_jetton_data';
    const before = askedFor();
    expect(await judged(detection.open({ follows: true }), [{ ...state, isMissing: true }])).toBe(
      'undetected',
    );
    const { found } = await judge(detection.open({ follows: true }), [child, { ...state, isMissing: true }], {
      block: ground.pool.head,
    });
    expect(found).toHaveLength(1);
    await ground.keep({ ...state, data: undefined }, code);
    expect(await judged(detection.open({ follows: true }))).toBeTypeOf('bigint');
    expect(askedFor()).toBe(before + 3);
  });

  it('is read once in a batch, with one query for many', async () => {
    const many = Array.from({ length: 50 }, (_, i) =>
      stateOf({ account: 100 + i, code: CHILD_CODE, data: numbered(1) }),
    );
    const before = askedFor();
    const { withdrawn } = await judge(detection.open({ follows: false }), many, {
      codes: [codeOf(CHILD_CODE)],
    });
    expect(withdrawn.get('jetton_wallets')).toHaveLength(50);
    expect(askedFor()).toBe(before + 1);
  });
});

describe('while batches follow each other', () => {
  it('it is remembered until it is in a batch', async () => {
    const one = detection.open({ follows: true });
    await ground.keep(stateOf({ account: PARENT, code: saying(2), data: numbered(0) }), codeOf(saying(2)));
    expect(await judged(one)).toBe(2n);
    const next = stateOf({ account: PARENT, code: saying(3), data: numbered(0) });
    await ground.keep(next, codeOf(saying(3)));
    // Somebody else wrote it, which cannot be.
    expect(await judged(one)).toBe(2n);
    expect(await judged(one, [next])).toBe(3n);
    expect(await judged(one)).toBe(3n);
    expect(await judged(one, [stateOf({ account: PARENT })])).toBeUndefined();
    expect(await judged(one)).toBeUndefined();
    // Others do not believe in it.
    expect(await judged(detection.open({ follows: false }))).toBe(3n);
  });

  it('one of the chain is asked for once', async () => {
    const one = detection.open({ follows: true });
    parent = idOfAddress(ground.place('jetton minter'));
    method = 'get_jetton_data';
    const before = askedFor();
    await judged(one);
    await judged(one);
    expect(askedFor()).toBe(before + 1);
    expect(detection.stats()).toMatchObject({ runs: 1, hits: 1 });
  });

  it('one from before a gap of the index is not believed', async () => {
    const { primary } = ground.base.database;
    await primary
      .insertInto('index_chunks')
      .values({ first_seqno: 50, last_seqno: null, done_seqno: 60, owner: null })
      .execute();
    const kept = stateOf({ account: PARENT, code: saying(2), data: numbered(0) });
    await ground.keep(kept, codeOf(saying(2)), 20);
    expect(await judged(detection.open({ follows: true }))).toBeUndefined();
    expect(await judged(detection.open({ follows: false }))).toBe(2n);
    // A gap that is being filled is one still.
    const chunk = { first_seqno: 20, last_seqno: 49, done_seqno: 48, owner: null };
    await primary.insertInto('index_chunks').values(chunk).execute();
    expect(await judged(detection.open({ follows: true }))).toBeUndefined();
    await primary.updateTable('index_chunks').set({ done_seqno: 49 }).where('first_seqno', '=', 20).execute();
    expect(await judged(detection.open({ follows: true }))).toBe(2n);
  });
});

describe('lite servers that do not answer', () => {
  it('leave undetected what needs them, and nothing else', async () => {
    const one = detection.open({ follows: true });
    await ground.keep(stateOf({ account: PARENT, code: saying(2), data: numbered(0) }), codeOf(saying(2)));
    expect(await judged(one)).toBe(2n);
    ground.servers[0]!.misbehave(only('getAccountState', { kind: 'error', code: 0, text: 'not today' }));
    expect(await judged(one)).toBe(2n);
    parent = idOf(madeAccount(8));
    expect(await judged(one)).toBe('undetected');
    ground.servers[0]!.misbehave(undefined);
    expect(await judged(one)).toBeUndefined();
  });

  it('are not waited for longer than the batch has time', async () => {
    const one = detection.open({ follows: true });
    await judged(one);
    parent = idOf(madeAccount(9));
    ground.servers[0]!.misbehave(only('getAccountState', { kind: 'silent' }));
    const many = Array.from({ length: 30 }, (_, i) =>
      stateOf({ account: 200 + i, code: CHILD_CODE, data: numbered(1) }),
    );
    const { undetected, withdrawn } = await judge(one, many, { timeoutMs: 300 });
    expect([undetected.size, withdrawn.size]).toEqual([30, 0]);
  });

  it('do without a configuration leave everything undetected that would be run', async () => {
    ground.servers[0]!.misbehave(only('getConfigAll', { kind: 'error', code: 0, text: 'not today' }));
    const plain = stateOf({ account: 300, code: saying(1), data: numbered(1) });
    const { undetected } = await judge(detection.open({ follows: true }), [child, plain], {
      codes: [codeOf(CHILD_CODE), codeOf(saying(1))],
    });
    expect([...undetected].map((key) => Buffer.from(key, 'latin1'))).toEqual([child.account]);
  });
});

describe('a database that is gone', () => {
  it('ends the batch, which nobody could write', async () => {
    const gone = await createTestDatabase();
    await gone.drop();
    const one = ground.detection([CHILD], { db: gone.database.primary }).open({ follows: true });
    await expect(judged(one)).rejects.toThrow();
  });
});
