import { describe, expect, it } from 'vitest';
import type { BlockId } from '../../../src/chain/block-id.ts';
import { readTransaction } from '../../../src/chain/tlb/transaction.ts';
import { missingNetwork } from '../../support/recorded-network.ts';
import { checkAnswer } from './check-answer.ts';
import { readRecordedJson, recordedAnswer, recordedAnswers } from './recorded.ts';

interface JsonTransaction {
  readonly account: string;
  readonly lt: string;
  readonly hash: string;
}

const fileName = ({ workchain, shard, seqno }: BlockId) =>
  `${workchain}_${BigInt.asUintN(64, shard).toString(16).padStart(16, '0')}_${seqno}`;

describe.skipIf(missingNetwork !== '')(`transactions that a real lite server proves${missingNetwork}`, () => {
  const byBlock =
    missingNetwork === '' ? readRecordedJson<Record<string, JsonTransaction[]>>('transactions.json') : {};
  const names = (block: BlockId, list: readonly { account: Buffer; lt: bigint; hash: Buffer }[]) =>
    list.map(({ account, lt, hash }) => ({
      account: `${block.workchain}:${account.toString('hex')}`,
      lt: String(lt),
      hash: hash.toString('base64'),
    }));

  it.each([
    ['listBlockTransactions_proof', 0, false],
    ['listBlockTransactions_busy', 0, false],
    ['listBlockTransactions_busy_meta', 0, false],
    ['listBlockTransactions_empty', 0, false],
    ['listBlockTransactions_mc_F', 0, false],
    ['listBlockTransactions_first5_proof', 0, true],
  ])('%s', (name, from, incomplete) => {
    const { request, answer } = recordedAnswer('listBlockTransactions', name);
    const page = checkAnswer(request, answer);
    const all = byBlock[fileName(request.id)] ?? [];
    expect(names(request.id, page.transactions)).toEqual(all.slice(from, from + request.count));
    expect(page.incomplete).toBe(incomplete);
  });

  it('lists in the reverse order', () => {
    const { request, answer } = recordedAnswer('listBlockTransactions', 'listBlockTransactions_reverse');
    const all = byBlock[fileName(request.id)]!.toReversed();
    const { transactions } = checkAnswer(request, answer);
    expect(names(request.id, transactions)).toEqual(all.slice(0, request.count));
  });

  it.each([
    'listBlockTransactionsExt_busy',
    'listBlockTransactionsExt_busy4_proof',
    'listBlockTransactionsExt_mc_key65',
  ])('%s: with their cells', (name) => {
    const { request, answer } = recordedAnswer('listBlockTransactionsExt', name);
    const { transactions } = checkAnswer(request, answer);
    expect(names(request.id, transactions)).toEqual(byBlock[fileName(request.id)]);
    for (const { cells, cell, lt } of transactions)
      expect(readTransaction(cells, cell, request.id.workchain).lt).toBe(lt);
  });

  const histories = recordedAnswers('lite')
    .filter(({ request }) => request.method === 'getTransactions')
    .map(({ name }) => name);

  it.each(histories)('%s: a history', (name) => {
    const { request, answer } = recordedAnswer('getTransactions', name);
    const history = checkAnswer(request, answer);
    if (request.lt === 0n) {
      expect(history).toEqual([]);
      return;
    }
    expect(history[0]).toMatchObject({ lt: request.lt, hash: request.hash });
    for (const { claimedBlock, cells, cell, hash, lt, account } of history) {
      const [listed] = names(claimedBlock, [{ account, lt, hash }]);
      expect(byBlock[fileName(claimedBlock)]).toContainEqual(listed);
      expect(readTransaction(cells, cell, request.account.workchain)).toMatchObject({ hash, lt });
    }
  });

  it('one transaction, or none', () => {
    const one = recordedAnswer('getOneTransaction', 'getOneTransaction_alice_last');
    const { cells, cell } = checkAnswer(one.request, one.answer)!;
    const { lt, account } = readTransaction(cells, cell, 0);
    expect({ lt, hash: account.hash }).toEqual({ lt: one.request.lt, hash: one.request.account.hash });
    const none = recordedAnswer('getOneTransaction', 'getOneTransaction_unknown_lt');
    expect(checkAnswer(none.request, none.answer)).toBeUndefined();
  });
});
