import { Address } from '@ton/core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AccountId } from '../../src/chain/address.ts';
import type { CountedDetection } from '../../src/detect/create-detection.ts';
import type { DetectionState, Detector } from '../../src/detect/detection.ts';
import type { ContractColumns } from '../../src/index/write/write-contracts.ts';
import { createTestDatabase } from '../support/database.ts';
import { getMethodCode } from '../support/get-method-code.ts';
import { only } from '../v2/support/faulty-servers.ts';
import {
  codeOf,
  type DetectionTestContext,
  madeAccount,
  numbered,
  openDetectionTestContext,
  runDetection,
  stateOf,
} from './support/detecting.ts';
import { int } from './support/stack-items.ts';

let context: DetectionTestContext;
let detection: CountedDetection;
/** The contract whose get-method the child calls. */
let parent: AccountId;
let method = 'get_number';

/** A contract whose only column is a number from another contract. */
const CHILD: Detector = {
  table: 'jetton_wallets',
  methods: [['get_child']],
  async detect(probe) {
    const other = await probe.beside(parent);
    return { value: (await other.run(method)).integer(0) } as unknown as ContractColumns;
  },
};

const CHILD_CODE = getMethodCode({ get_child: [] });
const child = stateOf({ account: 1, code: CHILD_CODE, data: numbered(1) });
const PARENT = madeAccount(7);
const withNumber = (number: number) => getMethodCode({ get_number: [int(number)] });
const idOf = (account: Buffer): AccountId => ({
  workchain: account.readInt8(0),
  hash: account.subarray(1),
});
const idOfAddress = ({ workChain, hash }: Address): AccountId => ({ workchain: workChain, hash });

beforeAll(async () => {
  context = await openDetectionTestContext();
});
afterAll(() => context.close());

beforeEach(() => {
  detection = context.detection([CHILD]);
  parent = idOf(PARENT);
  method = 'get_number';
});
afterEach(async () => {
  context.servers[0]!.misbehave(undefined);
  const { primary } = context.base.database;
  for (const table of ['latest_account_states', 'account_data', 'index_chunks'] as const)
    await primary.deleteFrom(table).execute();
});

/** Detects the child, together with any others, and returns its value. */
async function detect(
  one: ReturnType<CountedDetection['open']>,
  others: readonly DetectionState[] = [],
  codes = [CHILD_CODE],
) {
  const { found, undetected } = await runDetection(one, [child, ...others], {
    codes: codes.map(codeOf),
    block: context.pool.head,
  });
  if (undetected.size > 0) return 'undetected';
  return (found[0]?.columns as unknown as { value: bigint } | undefined)?.value;
}

const stateQueries = () => context.servers[0]!.count('getAccountState');

describe('another contract', () => {
  it('comes from the batch, then the database, then the chain', async () => {
    const one = detection.open({ follows: false });
    await context.keep(
      stateOf({ account: PARENT, code: withNumber(2), data: numbered(0) }),
      codeOf(withNumber(2)),
    );
    expect(await detect(one)).toBe(2n);
    const inBatch = stateOf({ account: PARENT, code: withNumber(3), data: numbered(0) });
    expect(await detect(one, [inBatch], [CHILD_CODE, withNumber(3)])).toBe(3n);
    // Data that did not change comes from the database.
    expect(await detect(one, [{ ...inBatch, data: undefined }])).toBe(3n);
    const before = stateQueries();
    const minter = context.place('jetton minter');
    parent = idOfAddress(minter);
    method = 'get_jetton_data';
    expect(await detect(one)).toBeTypeOf('bigint');
    expect(stateQueries()).toBe(before + 1);
  });

  it('is missing without code', async () => {
    const one = detection.open({ follows: false });
    expect(await detect(one)).toBeUndefined();
    expect(await detect(one, [stateOf({ account: PARENT })])).toBeUndefined();
    parent = { workchain: 5, hash: Buffer.alloc(32) };
    expect(await detect(one)).toBeUndefined();
    parent = idOfAddress(Address.parse(`-1:${'33'.repeat(32)}`));
    method = 'no_such_method';
    expect(await detect(one)).toBeUndefined();
  });

  it('is fetched if batch and database lack parts of it', async () => {
    const { state, code } = await context.onChain(context.place('jetton minter'));
    parent = idOf(state.account);
    method = 'get_jetton_data';
    const before = stateQueries();
    expect(await detect(detection.open({ follows: true }), [{ ...state, isMissing: true }])).toBe(
      'undetected',
    );
    const { found } = await runDetection(
      detection.open({ follows: true }),
      [child, { ...state, isMissing: true }],
      {
        block: context.pool.head,
      },
    );
    expect(found).toHaveLength(1);
    await context.keep({ ...state, data: undefined }, code);
    expect(await detect(detection.open({ follows: true }))).toBeTypeOf('bigint');
    expect(stateQueries()).toBe(before + 3);
  });

  it('is read once per batch, many with one query', async () => {
    const many = Array.from({ length: 50 }, (_, i) =>
      stateOf({ account: 100 + i, code: CHILD_CODE, data: numbered(1) }),
    );
    const before = stateQueries();
    const { withdrawn } = await runDetection(detection.open({ follows: false }), many, {
      codes: [codeOf(CHILD_CODE)],
    });
    expect(withdrawn.get('jetton_wallets')).toHaveLength(50);
    expect(stateQueries()).toBe(before + 1);
  });
});

describe('consecutive batches', () => {
  it('cache another contract until it appears in a batch', async () => {
    const one = detection.open({ follows: true });
    await context.keep(
      stateOf({ account: PARENT, code: withNumber(2), data: numbered(0) }),
      codeOf(withNumber(2)),
    );
    expect(await detect(one)).toBe(2n);
    const next = stateOf({ account: PARENT, code: withNumber(3), data: numbered(0) });
    await context.keep(next, codeOf(withNumber(3)));
    // Written by another process, which does not happen in practice.
    expect(await detect(one)).toBe(2n);
    expect(await detect(one, [next])).toBe(3n);
    expect(await detect(one)).toBe(3n);
    expect(await detect(one, [stateOf({ account: PARENT })])).toBeUndefined();
    expect(await detect(one)).toBeUndefined();
    // Other sessions do not use it.
    expect(await detect(detection.open({ follows: false }))).toBe(3n);
  });

  it('fetch another contract from the chain once', async () => {
    const one = detection.open({ follows: true });
    parent = idOfAddress(context.place('jetton minter'));
    method = 'get_jetton_data';
    const before = stateQueries();
    await detect(one);
    await detect(one);
    expect(stateQueries()).toBe(before + 1);
    expect(detection.stats()).toMatchObject({ runs: 1, hits: 1 });
  });

  it('do not use indexed states from before a gap', async () => {
    const { primary } = context.base.database;
    await primary
      .insertInto('index_chunks')
      .values({ first_seqno: 50, last_seqno: null, done_seqno: 60, owner: null })
      .execute();
    const kept = stateOf({ account: PARENT, code: withNumber(2), data: numbered(0) });
    await context.keep(kept, codeOf(withNumber(2)), 20);
    expect(await detect(detection.open({ follows: true }))).toBeUndefined();
    expect(await detect(detection.open({ follows: false }))).toBe(2n);
    // A gap counts until it is filled.
    const chunk = { first_seqno: 20, last_seqno: 49, done_seqno: 48, owner: null };
    await primary.insertInto('index_chunks').values(chunk).execute();
    expect(await detect(detection.open({ follows: true }))).toBeUndefined();
    await primary.updateTable('index_chunks').set({ done_seqno: 49 }).where('first_seqno', '=', 20).execute();
    expect(await detect(detection.open({ follows: true }))).toBe(2n);
  });
});

describe('unresponsive lite servers', () => {
  it('leave only accounts undetected that need them', async () => {
    const one = detection.open({ follows: true });
    await context.keep(
      stateOf({ account: PARENT, code: withNumber(2), data: numbered(0) }),
      codeOf(withNumber(2)),
    );
    expect(await detect(one)).toBe(2n);
    context.servers[0]!.misbehave(only('getAccountState', { kind: 'error', code: 0, text: 'not today' }));
    expect(await detect(one)).toBe(2n);
    parent = idOf(madeAccount(8));
    expect(await detect(one)).toBe('undetected');
    context.servers[0]!.misbehave(undefined);
    expect(await detect(one)).toBeUndefined();
  });

  it('do not delay a batch beyond its time limit', async () => {
    const one = detection.open({ follows: true });
    await detect(one);
    parent = idOf(madeAccount(9));
    context.servers[0]!.misbehave(only('getAccountState', { kind: 'silent' }));
    const many = Array.from({ length: 30 }, (_, i) =>
      stateOf({ account: 200 + i, code: CHILD_CODE, data: numbered(1) }),
    );
    const { undetected, withdrawn } = await runDetection(one, many, { timeoutMs: 300 });
    expect([undetected.size, withdrawn.size]).toEqual([30, 0]);
  });

  it('leave all planned accounts undetected without a configuration', async () => {
    context.servers[0]!.misbehave(only('getConfigAll', { kind: 'error', code: 0, text: 'not today' }));
    const plain = stateOf({ account: 300, code: withNumber(1), data: numbered(1) });
    const { undetected } = await runDetection(detection.open({ follows: true }), [child, plain], {
      codes: [codeOf(CHILD_CODE), codeOf(withNumber(1))],
    });
    expect([...undetected].map((key) => Buffer.from(key, 'latin1'))).toEqual([child.account]);
  });
});

describe('an unavailable database', () => {
  it('fails the batch', async () => {
    const dropped = await createTestDatabase();
    await dropped.drop();
    const one = context.detection([CHILD], { db: dropped.database.primary }).open({ follows: true });
    await expect(detect(one)).rejects.toThrow();
  });
});
