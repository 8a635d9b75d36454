import { describe, expect, it } from 'vitest';
import { LiteServerError } from '../../../src/lite/errors.ts';
import { getAccountState } from '../../../src/lite/methods/accounts.ts';
import { listBlockTransactions } from '../../../src/lite/methods/block-transactions.ts';
import { getBlockBytes } from '../../../src/lite/methods/blocks.ts';
import { encodeRequest } from '../../../src/lite/methods/codec.ts';
import { getConfigAll } from '../../../src/lite/methods/config.ts';
import { lookupBlockWithProof } from '../../../src/lite/methods/lookups.ts';
import type { QueryServer } from '../../../src/lite/methods/proofs.ts';
import { getAllShardsInfo } from '../../../src/lite/methods/shards.ts';
import { getTransactions, readHistory } from '../../../src/lite/methods/transactions.ts';
import { missingNetwork } from '../../support/recorded-network.ts';
import { recordedAnswer, recordedAnswers } from './support/recorded.ts';

const ON = { verify: true };

describe.skipIf(missingNetwork !== '')(`lite methods with a recorded lite server${missingNetwork}`, () => {
  /** A server that knows what was recorded, byte for byte. */
  const answers = new Map(
    [...recordedAnswers('accounts'), ...recordedAnswers('lite')].map(({ request, answer }) => [
      encodeRequest(request).toString('hex'),
      answer,
    ]),
  );
  const ask: QueryServer = async (request) => {
    const answer = answers.get(request.toString('hex'));
    if (answer === undefined) throw new LiteServerError(621, 'not recorded');
    return answer;
  };

  it('send the recorded queries and accept their responses', async () => {
    const { request } = recordedAnswer('getAccountState', 'alice', 'accounts');
    const { id: head, account } = request;
    const alice = await getAccountState(ask, head, account, ON);
    expect(alice.lastTransLt).toBe(107000004n);
    const [, right] = await getAllShardsInfo(ask, head, ON);
    expect(right!.seqno).toBe(122);
    const found = await lookupBlockWithProof(
      ask,
      head,
      { workchain: 0, shard: right!.shard, lt: 71000005n },
      ON,
    );
    expect(found.block.seqno).toBe(67);
    const page = await listBlockTransactions(ask, found.block, { count: 5 }, ON);
    expect(page.transactions).toHaveLength(5);
    expect((await getBlockBytes(ask, found.block, ON)).length).toBeGreaterThan(100);
    expect((await getConfigAll(ask, head, ON)).block).toBe(head);
  });

  it('read the history of an account', async () => {
    const { request } = recordedAnswer('getTransactions', 'getTransactions_alice');
    const from = { lt: request.lt, hash: request.hash };
    let read = 0;
    const getPage = (place: typeof from, count: number) =>
      getTransactions(ask, request.account, place, count, ON);
    await readHistory(getPage, { from, limit: 10 }, () => read++);
    expect(read).toBe(10);
  });
});
