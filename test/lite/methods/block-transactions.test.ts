import { describe, expect, it } from 'vitest';
import {
  checkBlockTransactions,
  checkBlockTransactionsExt,
  type ListQuery,
} from '../../../src/lite/methods/block-transactions.ts';
import type { LiteResponseOf } from '../../../src/lite/methods/codec.ts';
import { ProofFailure } from '../../../src/lite/methods/proofs.ts';
import { answerList, answerListExt } from '../../support/chain-builder/answers.ts';
import { bagOf } from '../../support/chain-builder/cells.ts';
import { sampleChain } from '../../support/chain-builder/sample-chain.ts';

type BlockTransactions = LiteResponseOf<'listBlockTransactions'>;

const ON = { verify: true };
const WITH_PROOF = 7 | 32;
const REVERSE = 64;
const AFTER = 128;

describe('checkBlockTransactions', () => {
  const chain = sampleChain();
  const block = chain.shardBlocks.at(-1)!;
  const sorted = block.parts.transactions!.toSorted(
    (a, b) => a.account.hash.compare(b.account.hash) || Number(a.lt - b.lt),
  );
  const question = (parts: Partial<ListQuery>): ListQuery => ({
    block: block.id,
    mode: WITH_PROOF,
    count: 256,
    ...parts,
  });
  const answerFor = ({ block: id, ...rest }: ListQuery) =>
    answerList(chain, { method: 'listBlockTransactions', id, ...rest });
  const answerExt = ({ block: id, ...rest }: ListQuery) =>
    answerListExt(chain, { method: 'listBlockTransactionsExt', id, ...rest });
  const check = (asked: ListQuery, answer = answerFor(asked)) => checkBlockTransactions(answer, asked, ON);
  const afterOf = (i: number) => ({ account: sorted[i]!.account.hash, lt: sorted[i]!.lt });

  it('accepts any part of the list, in both orders', () => {
    expect(sorted).toHaveLength(8);
    for (let start = -1; start < sorted.length; start++)
      for (const count of [1, 3, 8, 256])
        for (const reverse of [false, true]) {
          const after = start < 0 ? undefined : afterOf(start);
          const mode = WITH_PROOF | (reverse ? REVERSE : 0) | (after === undefined ? 0 : AFTER);
          const { transactions, incomplete } = check(question({ mode, count, after }));
          const rest = reverse
            ? sorted.slice(0, start < 0 ? 8 : start).toReversed()
            : sorted.slice(start + 1);
          expect(transactions.map(({ hash }) => hash)).toEqual(rest.slice(0, count).map(({ hash }) => hash));
          expect(incomplete).toBe(rest.length >= count);
        }
  });

  it('accepts a list after a transaction that is not in the block', () => {
    const { account, lt } = afterOf(2);
    const between = { account, lt: lt + 1n };
    const { transactions } = check(question({ mode: WITH_PROOF | AFTER, after: between }));
    expect(transactions[0]!.hash).toEqual(sorted[3]!.hash);
    const nobody = { account: Buffer.alloc(32, 0x50), lt: 0n };
    const later = check(question({ mode: WITH_PROOF | AFTER, after: nobody }));
    expect(later.transactions[0]!.hash).toEqual(sorted[4]!.hash);
  });

  it('accepts a complete list with exactly the requested number of transactions', () => {
    const full = question({ count: sorted.length });
    // A server that does not know shows one entry too few of the proof; this one shows all.
    const proof = answerFor(question({})).proof;
    expect(check(full, { ...answerFor(full), proof, incomplete: false }).incomplete).toBe(false);
    const part = question({ count: 4 });
    expect(() => check(part, { ...answerFor(part), proof, incomplete: false })).toThrow('not as complete');
  });

  const all = question({});
  const first = question({ count: 3 });
  const lies: [string, ListQuery, (answer: BlockTransactions) => BlockTransactions, string][] = [
    [
      'a transaction less',
      all,
      (a) => ({ ...a, ids: a.ids.slice(1) }),
      'Txs count mismatch in proof (8) and response (7)',
    ],
    [
      'a transaction twice',
      first,
      (a) => ({ ...a, ids: [a.ids[0]!, a.ids[0]!, a.ids[1]!] }),
      "Couldn't verify proof (hash)",
    ],
    ['another order', all, (a) => ({ ...a, ids: a.ids.toReversed() }), "Couldn't verify proof (hash)"],
    ['another time', all, (a) => ({ ...a, ids: a.ids.map((id) => ({ ...id, lt: id.lt! + 1n })) }), '(lt)'],
    [
      'another account',
      all,
      (a) => ({ ...a, ids: a.ids.map((id) => ({ ...id, account: Buffer.alloc(32) })) }),
      '(account)',
    ],
    [
      'nameless ones',
      all,
      (a) => ({ ...a, ids: a.ids.map((id) => ({ ...id, mode: 6, account: undefined })) }),
      'nameless',
    ],
    [
      'a whole list that says it is not',
      all,
      (a) => ({ ...a, incomplete: true }),
      'not as complete as it says',
    ],
    ['a part that says it is all', first, (a) => ({ ...a, incomplete: false }), 'the cell is pruned'],
    ['a part that is too small', first, (a) => ({ ...a, ids: a.ids.slice(0, 2) }), 'Txs count mismatch'],
    ['no proof', all, (a) => ({ ...a, proof: Buffer.alloc(0) }), 'too short'],
    [
      'another block',
      all,
      (a) => ({ ...a, id: chain.shardBlocks[0]!.id }),
      'Liteserver responded with wrong block',
    ],
    ['another count', all, (a) => ({ ...a, reqCount: 5 }), 'Liteserver responded to another request'],
    [
      'the proof of another block',
      all,
      (a) => ({ ...a, proof: answerFor(question({ block: chain.shardBlocks[0]!.id })).proof }),
      'has incorrect root hash',
    ],
  ];

  it.each(lies)('refuses %s', (_name, asked, change, text) => {
    const changed = change(answerFor(asked));
    expect(() => check(asked, changed)).toThrow(ProofFailure);
    expect(() => check(asked, changed)).toThrow(text);
    expect(() => check(asked, changed)).toThrow(/^VALIDATE_TRANSACTION/);
  });

  it('returns the cells of transactions, and refuses other cells', () => {
    const asked = question({ count: 5 });
    const answer = answerExt(asked);
    const { transactions } = checkBlockTransactionsExt(answer, asked, ON);
    expect(transactions.map(({ cells, cell }) => cells.hash(cell))).toEqual(
      sorted.slice(0, 5).map(({ hash }) => hash),
    );
    const others = bagOf(...sorted.slice(1, 6).map(({ cell }) => cell));
    expect(() => checkBlockTransactionsExt({ ...answer, transactions: others }, asked, ON)).toThrow(
      'transaction hash mismatch: Merkle proof expects ',
    );
    const none = { ...answer, transactions: Buffer.alloc(0) };
    expect(() => checkBlockTransactionsExt(none, asked, ON)).toThrow('Txs count mismatch');
  });

  it('accepts a list without a proof if none was requested, or verify is off', () => {
    const plain = question({ mode: 7 });
    const answer = answerFor(plain);
    expect(answer.proof).toHaveLength(0);
    expect(check(plain, answer).transactions).toHaveLength(8);
    expect(checkBlockTransactions(answer, all, { verify: false }).transactions).toHaveLength(8);
  });

  it('accepts the list of an empty block', () => {
    const empty = { ...answerFor(question({ mode: 7 })), ids: [] };
    expect(check(question({ mode: 7 }), empty).transactions).toEqual([]);
  });
});
