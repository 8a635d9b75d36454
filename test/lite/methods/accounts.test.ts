import { beginCell } from '@ton/core';
import { describe, expect, it } from 'vitest';
import type { AccountId } from '../../../src/chain/address.ts';
import type { BlockId } from '../../../src/chain/block-id.ts';
import { readBoc } from '../../../src/chain/boc/bag.ts';
import { readAccount } from '../../../src/chain/tlb/account.ts';
import { type AccountState, checkAccountState, NoSuchShard } from '../../../src/lite/methods/accounts.ts';
import { checkRunMethod } from '../../../src/lite/methods/get-methods.ts';
import { ProofFailure, ShardProofCache } from '../../../src/lite/methods/proofs.ts';
import { buildAccount } from '../../support/chain-builder/accounts.ts';
import { answerAccountState, blockOf, NO_BLOCK } from '../../support/chain-builder/answers.ts';
import { bagOf, proofBag, prunedBranch, showHeader } from '../../support/chain-builder/cells.ts';
import { RIGHT, sampleChain } from '../../support/chain-builder/sample-chain.ts';

const ON = { verify: true };
const OFF = { verify: false };

describe('checkAccountState', () => {
  const chain = sampleChain();
  const { left, right, mc } = chain.accounts;
  const block = chain.masterchain[4]!.id;
  const nobody: AccountId = { workchain: 0, hash: Buffer.alloc(32, 0xdd) };
  const answerFor = (account: AccountId, id: BlockId = block) =>
    answerAccountState(chain, id, account, 'whole');
  const check = (answer: AccountState, account: AccountId, options = ON) =>
    checkAccountState(answer, { block, account }, options);
  /** A response with parts of it replaced. */
  const lie = (account: AccountId, parts: Partial<AccountState>) => ({ ...answerFor(account), ...parts });

  it('returns the account, its last transaction, and the block of its shard', () => {
    const last = chain.transactions.find(
      ({ account, block: { seqno } }) => account === right && seqno === 5,
    )!;
    const { account, ...proven } = check(answerFor(right), right);
    expect(proven).toEqual({
      lastTransLt: last.lt,
      lastTransHash: last.hash,
      shardBlock: last.block,
      genUtime: blockOf(chain, last.block).utime,
      genLt: blockOf(chain, last.block).endLt,
    });
    expect(last.block.shard).toBe(RIGHT);
    expect(readAccount(account!.cells, account!.cell)).toMatchObject({
      balance: { grams: 1000n + last.lt },
      state: { kind: 'active' },
    });
  });

  it('returns an account of the masterchain without a shard proof', () => {
    const answer = answerFor(mc);
    expect(answer.shardProof).toHaveLength(0);
    expect(check(answer, mc).shardBlock).toEqual(block);
  });

  it('returns no account for one that does not exist', () => {
    expect(check(answerFor(nobody), nobody)).toMatchObject({
      account: undefined,
      lastTransLt: 0n,
      lastTransHash: Buffer.alloc(32),
    });
  });

  it('checks the same shard proof once, and another one for the same block again', () => {
    const options = { ...ON, shardProofs: new ShardProofCache() };
    const answer = answerFor(right);
    const first = check(answer, right, options);
    expect(options.shardProofs.has(answer)).toBe(true);
    expect(check(answerFor(right), right, options)).toEqual(first);
    const broken = Buffer.from(answer.shardProof);
    broken[broken.length - 1]! ^= 1;
    for (const parts of [
      { shardProof: broken },
      { shardProof: Buffer.alloc(0) },
      { shardBlock: { ...answer.shardBlock, rootHash: Buffer.alloc(32, 1) } },
      { shardBlock: { ...answer.shardBlock, fileHash: Buffer.alloc(32, 1) } },
      { shardBlock: { ...answer.shardBlock, seqno: answer.shardBlock.seqno + 1 } },
    ])
      expect(() => check(lie(right, parts), right, options)).toThrow(ProofFailure);
    expect(() => check(lie(left, { shardBlock: answer.shardBlock }), left, options)).toThrow(ProofFailure);
    const elsewhere = chain.masterchain[3]!.id;
    expect(() =>
      checkAccountState({ ...answer, id: elsewhere }, { block: elsewhere, account: right }, options),
    ).toThrow(ProofFailure);
  });

  it('caches a limited number of shard proofs', () => {
    const proofs = new ShardProofCache();
    const answer = answerFor(right);
    const at = (seqno: number) => ({ ...answer, id: { ...answer.id, seqno } });
    for (let seqno = 0; seqno < 100; seqno++) proofs.add(at(seqno));
    expect([0, 99].map((seqno) => proofs.has(at(seqno)))).toEqual([false, true]);
  });

  it('throws NoSuchShard for a workchain that does not exist, and ProofFailure for a wrong response', () => {
    const far: AccountId = { ...left, workchain: 5 };
    expect(() => check(answerFor(far), far)).toThrow(NoSuchShard);
    expect(() => check({ ...answerFor(far), state: Buffer.alloc(4) }, far)).toThrow(ProofFailure);
    const hidden = {
      ...answerFor(left),
      shardBlock: NO_BLOCK,
      proof: Buffer.alloc(0),
      state: Buffer.alloc(0),
    };
    expect(() => check(hidden, left)).toThrow('in answer is invalid');
    expect(() => check(hidden, left)).toThrow(ProofFailure);
  });

  it.each<[string, () => AccountState, AccountId, string]>([
    [
      'the state of another account',
      () => lie(left, { state: answerFor(mc).state }),
      left,
      'VALIDATE_ACCOUNT_STATEaccount state hash mismatch: Merkle proof expects ',
    ],
    [
      'no state of an account that exists',
      () => lie(left, { state: Buffer.alloc(0) }),
      left,
      `VALIDATE_ACCOUNT_STATEaccount state proof shows that account state for 0:${left.hash.toString('hex')} must be non-empty, but it actually is empty`,
    ],
    [
      'a state of an account that does not exist',
      () => lie(nobody, { state: answerFor(left).state }),
      nobody,
      'must be empty, but it is not',
    ],
    [
      'an older block of the shard',
      () => ({
        ...answerFor(left, chain.masterchain[3]!.id),
        id: block,
        shardProof: answerFor(left).shardProof,
      }),
      left,
      'shard configuration mismatch: expected to find block (0,4000000000000000,3):',
    ],
    [
      'the shard of another account',
      () => answerFor(right),
      left,
      'received data from shard block (0,c000000000000000,5)',
    ],
    [
      'another reference block',
      () => answerFor(left, chain.masterchain[3]!.id),
      left,
      'obtained getAccountState() for a different reference block (-1,8000000000000000,4):',
    ],
    [
      'a proof of the block without one of its state',
      () => lie(left, { proof: proofBag(showHeader(chain.shardBlocks[6]!.root)) }),
      left,
      'account state proof must have exactly two roots',
    ],
    [
      'a proof of the state of another block',
      () => lie(left, { proof: answerFor(left, chain.masterchain[3]!.id).proof }),
      left,
      'error in account shard block header proof :  block header for block (0,4000000000000000,5):',
    ],
    [
      'a proof that is none',
      () => lie(left, { proof: bagOf(chain.library, chain.library) }),
      left,
      'the cell is not a Merkle proof',
    ],
    [
      'no proof of the shard',
      () => lie(left, { shardProof: Buffer.alloc(0) }),
      left,
      'cannot deserialize shard configuration proof: ',
    ],
    [
      'a proof of the shard where none belongs',
      () => lie(mc, { shardProof: answerFor(left).shardProof }),
      mc,
      'unexpected non-empty shard proof',
    ],
  ])('refuses %s', (_name, answer, account, text) => {
    expect(() => check(answer(), account)).toThrow(ProofFailure);
    const message = messageOf(() => check(answer(), account));
    expect(message.toLowerCase()).toContain(text.toLowerCase());
    expect(message).toMatch(/^VALIDATE_ACCOUNT_STATE/);
  });

  it('refuses a pruned branch instead of the code', () => {
    // It has the right hash at the lowest level, where proofs are compared.
    const state = readBoc(answerFor(left).state);
    const { code } = readActive(state, state.root);
    const hash = state.hash(code);
    const last = chain.transactions.find(({ account, block: { seqno } }) => account === left && seqno === 5)!;
    const whole = beginCell().storeStringTail('code').endCell();
    expect(whole.hash()).toEqual(hash);
    const { cell } = buildAccount({
      id: left,
      balance: 1000n + last.lt,
      init: { code: prunedBranch(whole), data: beginCell().storeUint(last.lt, 64).endCell() },
      lastTransLt: last.lt,
      lastTransHash: last.hash,
    });
    expect(cell.hash(0)).toEqual(state.hash(state.root));
    expect(() => check(lie(left, { state: cell.toBoc() }), left)).toThrow(
      'a pruned branch that no Merkle proof holds',
    );
  });

  it('compares no hashes without verify, but requires all parts', () => {
    const other = lie(left, { state: answerFor(right).state });
    const { account } = check(other, left, OFF);
    expect(account).toBeDefined();
    expect(() => check(lie(left, { proof: Buffer.alloc(0) }), left, OFF)).toThrow(ProofFailure);
    expect(() => check(lie(left, { state: Buffer.alloc(0) }), left, OFF)).toThrow(ProofFailure);
  });

  it('refuses a runSmcMethod response without proofs', () => {
    const { id, shardBlock } = answerFor(left);
    const bare = { mode: 4, id, shardBlock, exitCode: 0, result: Buffer.alloc(4) };
    expect(() => checkRunMethod(bare, { block, account: left }, ON)).toThrow(
      'VALIDATE_ACCOUNT_STATEthe answer is without proofs',
    );
  });
});

function readActive(cells: ReturnType<typeof readBoc>, cell: number) {
  const account = readAccount(cells, cell)!;
  if (account.state.kind !== 'active') throw new Error('not active');
  return account.state.init;
}

function messageOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return (error as Error).message;
  }
  return '';
}
