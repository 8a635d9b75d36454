import { describe, expect, it } from 'vitest';
import type { BlockId } from '../../../src/chain/block-id.ts';
import { decodeResponse } from '../../../src/lite/methods/codec.ts';
import { ProofFailure } from '../../../src/lite/methods/proofs.ts';
import { missingNetwork } from '../../support/recorded-network.ts';
import { type CheckedRequest, checkAnswer, isChecked } from './support/check-answer.ts';
import { type Recorded, recordedAnswers } from './support/recorded.ts';

const WITH_PROOF = 32;

/** The same bytes with one bit changed. */
function other(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  copy[17]! ^= 0x10;
  return copy;
}

/** Other blocks than a given one. */
function otherBlocks(id: BlockId): BlockId[] {
  return [
    { ...id, rootHash: other(id.rootHash) },
    { ...id, fileHash: other(id.fileHash) },
    { ...id, seqno: id.seqno + 1 },
    { ...id, workchain: id.workchain + 1 },
  ];
}

/** Requests for which the response to the given one is wrong. */
function otherQuestions(request: CheckedRequest): CheckedRequest[] {
  switch (request.method) {
    case 'getTransactions':
      if (request.lt === 0n) return [{ ...request, lt: 1n }];
      return [
        { ...request, lt: request.lt + 1n },
        { ...request, hash: other(request.hash) },
        { ...request, account: { ...request.account, hash: other(request.account.hash) } },
        { ...request, account: { ...request.account, workchain: 7 } },
        { ...request, count: 0 },
      ];
    case 'lookupBlock':
    case 'lookupBlockWithProof': {
      const changed: CheckedRequest[] = [{ ...request, id: { ...request.id, workchain: 7 } }];
      if (request.mode === 1)
        changed.push({ ...request, id: { ...request.id, seqno: request.id.seqno + 1 } });
      // A block holds the logical times from the end of the one before to its own.
      if (request.lt !== undefined) changed.push({ ...request, lt: request.lt + 2_000_000n });
      if (request.utime !== undefined) changed.push({ ...request, utime: 2 ** 31 });
      if (request.method === 'lookupBlockWithProof') {
        // The proof starts at the root hash of the block that is trusted; nothing repeats its file hash.
        for (const mcBlockId of otherBlocks(request.mcBlockId))
          if (mcBlockId.fileHash === request.mcBlockId.fileHash) changed.push({ ...request, mcBlockId });
        if (request.lt !== undefined) changed.push({ ...request, lt: request.lt - 2_000_000n });
        changed.push({ ...request, mode: request.mode === 1 ? 2 : 1, lt: 0n });
      }
      return changed;
    }
    case 'getLibraries':
      return [{ ...request, libraryList: request.libraryList.map(other) }];
    case 'getAccountState':
    case 'getAccountStatePrunned':
    case 'runSmcMethod':
      return [
        ...otherBlocks(request.id).map((id) => ({ ...request, id })),
        { ...request, account: { ...request.account, workchain: 7 } },
        // Not far away: the proof shows that it is not there.
        { ...request, account: { ...request.account, hash: other(request.account.hash) } },
      ];
    case 'listBlockTransactions':
    case 'listBlockTransactionsExt': {
      const changed: CheckedRequest[] = otherBlocks(request.id).map((id) => ({ ...request, id }));
      changed.push({ ...request, count: request.count + 1 });
      if (request.mode & WITH_PROOF) {
        changed.push({ ...request, mode: request.mode ^ 64 });
        changed.push({ ...request, after: { account: Buffer.alloc(32, 0xee), lt: 1n } });
      }
      return changed;
    }
    default:
      if (!('id' in request)) return [];
      return otherBlocks(request.id as BlockId).map((id) => ({ ...request, id }) as CheckedRequest);
  }
}

/** Responses that cannot be checked as they are, for which there are tests of their own. */
function isOdd({ name, request, answer }: Recorded<CheckedRequest>): boolean {
  // A proof that an account is not there may be that of another one too.
  if (name === 'runSmcMethod_nonexist') return true;
  if (request.method === 'getAccountState' && decodeResponse('getAccountState', answer).state.length === 0)
    return true;
  // The last key block is the right response for other blocks too.
  if (request.method === 'getConfigAll' && request.mode === 0x8000) return true;
  if (request.method === 'getState') return request.id.seqno !== 0;
  if (request.method === 'getLibraries') return name === 'getLibraries_none';
  return name === 'getAccountState_head' || name === 'getAccountState_wc5';
}

describe.skipIf(missingNetwork !== '')(`recorded responses to other queries${missingNetwork}`, () => {
  const answers = [...recordedAnswers('accounts'), ...recordedAnswers('lite')]
    .filter((recorded): recorded is Recorded<CheckedRequest> => isChecked(recorded.request))
    .filter((recorded) => !isOdd(recorded));

  it('are many', () => {
    expect(answers.length).toBeGreaterThan(140);
  });

  it.each(answers)('$name is refused as the response to another query', ({ request, answer }) => {
    const questions = otherQuestions(request);
    expect(questions.length).toBeGreaterThan(0);
    for (const question of questions) expect(() => checkAnswer(question, answer)).toThrow(ProofFailure);
  });
});
