import { describe, expect, it } from 'vitest';
import type { LiteResponseOf } from '../../../src/lite/methods/codec.ts';
import { ProofFailure } from '../../../src/lite/methods/proofs.ts';
import { checkTransactions } from '../../../src/lite/methods/transactions.ts';
import { buildTransaction } from '../../support/chain-builder/accounts.ts';
import { answerHistory } from '../../support/chain-builder/answers.ts';
import { bagOf, prunedBranch } from '../../support/chain-builder/cells.ts';
import { sampleChain } from '../../support/chain-builder/sample-chain.ts';

type TransactionList = LiteResponseOf<'getTransactions'>;

const ON = { verify: true };

describe('checkTransactions', () => {
  const chain = sampleChain();
  const account = chain.accounts.left;
  const own = chain.transactions.filter((made) => made.account === account);
  const question = { count: 16, account, lt: own[2]!.lt, hash: own[2]!.hash };
  const answer = answerHistory(chain, { method: 'getTransactions', ...question });
  const listOf = (made: readonly (typeof own)[number][]): TransactionList => ({
    ids: made.map(({ block }) => block),
    transactions: bagOf(...made.map(({ cell }) => cell)),
  });

  it('returns the transactions before and with the queried one', () => {
    const history = checkTransactions(answer, question, ON);
    expect(history.map(({ hash }) => hash)).toEqual(own.slice(2, 18).map(({ hash }) => hash));
    expect(history.map(({ claimedBlock }) => claimedBlock)).toEqual(
      own.slice(2, 18).map(({ block }) => block),
    );
    const last = history.at(-1)!;
    expect({ lt: last.prevTransLt, hash: last.prevTransHash }).toEqual({
      lt: own[18]!.lt,
      hash: own[18]!.hash,
    });
  });

  it('returns fewer transactions at the start of the history', () => {
    const { lt, hash } = own.at(-2)!;
    const asked = { ...question, lt, hash };
    const history = checkTransactions(
      answerHistory(chain, { method: 'getTransactions', ...asked }),
      asked,
      ON,
    );
    expect(history).toHaveLength(2);
    expect(history[1]!.prevTransLt).toBe(0n);
  });

  it('returns an empty list for a logical time of zero', () => {
    const none = { ids: [], transactions: Buffer.alloc(0) };
    expect(checkTransactions(none, { ...question, lt: 0n }, ON)).toEqual([]);
    expect(() => checkTransactions(none, question, ON)).toThrow(
      'VALIDATE_TRANSACTIONtransaction list must be non-empty',
    );
  });

  it.each<[string, TransactionList, string]>([
    ['a gap', listOf([own[2]!, own[4]!]), 'transaction hash mismatch: expected '],
    ['a start at another transaction', listOf(own.slice(3, 5)), 'transaction hash mismatch: expected '],
    [
      'fewer blocks than transactions',
      { ...answer, ids: answer.ids.slice(1) },
      'must be equal to the size of block id list 15',
    ],
    [
      'more than was asked for',
      listOf(own.slice(2, 19)),
      'obtained 17 transactions, but only 16 have been requested',
    ],
    [
      'a block of another shard',
      { ...answer, ids: answer.ids.map((id) => ({ ...id, shard: -0x4000000000000000n })) },
      'a block that cannot contain specified account',
    ],
    ['no bag', { ...answer, transactions: Buffer.alloc(3) }, 'too short'],
    [
      'pruned branches',
      { ...answer, transactions: bagOf(...own.slice(2, 18).map(({ cell }) => prunedBranch(cell))) },
      'a pruned branch that no Merkle proof holds',
    ],
  ])('refuses %s', (_name, changed, text) => {
    expect(() => checkTransactions(changed, question, ON)).toThrow(ProofFailure);
    expect(() => checkTransactions(changed, question, ON)).toThrow(text);
  });

  it('refuses a transaction of another account, and one that is not older', () => {
    const [other] = chain.transactions.filter((made) => made.account === chain.accounts.right);
    const asked = { ...question, lt: other!.lt, hash: other!.hash };
    expect(() => checkTransactions(listOf([other!]), asked, ON)).toThrow(
      'transaction account mismatch: expected ',
    );
    const circle = buildTransaction({
      account,
      lt: 5n,
      utime: 0,
      previous: { lt: 5n, hash: Buffer.alloc(32) },
    });
    const list = { ids: [own[0]!.block], transactions: bagOf(circle.cell) };
    expect(() => checkTransactions(list, { ...question, lt: 5n, hash: circle.hash }, ON)).toThrow(
      'previous transaction time is not less than the current one',
    );
    expect(() => checkTransactions(list, { ...question, lt: 6n, hash: circle.hash }, ON)).toThrow(
      'transaction lt mismatch: expected 6, found 5',
    );
  });

  it('compares no hashes without verify', () => {
    const asked = { ...question, hash: Buffer.alloc(32) };
    expect(() => checkTransactions(answer, asked, ON)).toThrow(ProofFailure);
    expect(checkTransactions(answer, asked, { verify: false })).toHaveLength(16);
  });
});
