import { describe, expect, it } from 'vitest';
import { NoSuchShard } from '../../../src/lite/methods/accounts.ts';
import { decodeResponse } from '../../../src/lite/methods/codec.ts';
import { ProofFailure } from '../../../src/lite/methods/proofs.ts';
import { sampled, sampleOf } from '../../support/long-run.ts';
import { missingNetwork } from '../../support/recorded-network.ts';
import { type CheckedRequest, checkAnswer, isChecked } from './support/check-answer.ts';
import { flipBits } from './support/flip-bits.ts';
import { type Recorded, recordedAnswer, recordedAnswers } from './support/recorded.ts';

const FLIPS = sampled(25, 200);
const WITH_PROOFS = 3;

/** All but responses without a proof, and those with tests of their own below. */
function isProvable({ name, request }: Recorded): boolean {
  if (request.method === 'runSmcMethod') return (request.mode & WITH_PROOFS) === WITH_PROOFS;
  if (request.method === 'getBlockOutMsgQueueSize') return request.mode === 1;
  if (request.method === 'getState') return request.id.seqno === 0;
  return name !== 'getAccountState_head' && name !== 'getAccountState_wc5';
}

const all = [...recordedAnswers('accounts'), ...recordedAnswers('lite')].filter(
  (recorded): recorded is Recorded<CheckedRequest> => isChecked(recorded.request),
);
const provable = all.filter(isProvable);

describe.skipIf(missingNetwork !== '')(`recorded responses of a real lite server${missingNetwork}`, () => {
  it('are all found', () => {
    expect(recordedAnswers('accounts')).toHaveLength(52);
    expect(provable.length).toBeGreaterThan(140);
  });

  it.each(sampleOf(provable, 70))(
    '$name is accepted, and refused with any changed bit',
    ({ request, answer }) => {
      checkAnswer(request, answer);
      checkAnswer(request, answer, { verify: false });
      const { refused, harmless, problems } = flipBits(request, answer, FLIPS);
      expect(problems).toEqual([]);
      expect(refused + harmless).toBe(FLIPS);
      expect(refused).toBeGreaterThan(0);
    },
  );

  it('prove the state of an account at the head of the server', () => {
    const { request, answer } = recordedAnswer('getAccountState', 'getAccountState_head');
    const { id } = decodeResponse('getAccountState', answer);
    const atHead = { ...request, id };
    expect(checkAnswer(atHead, answer).lastTransLt).toBeGreaterThan(0n);
    expect(flipBits(atHead, answer, FLIPS).problems).toEqual([]);
  });

  it('prove that a workchain does not exist', () => {
    const { request: asked, answer } = recordedAnswer('getAccountState', 'getAccountState_wc5');
    const noSuchShard = (bytes: Buffer): void => {
      try {
        checkAnswer(asked, bytes);
      } catch (error) {
        if (!(error instanceof NoSuchShard)) throw error;
        return;
      }
      throw new Error('it was found');
    };
    noSuchShard(answer);
    expect(() => checkAnswer(asked, answer)).toThrow(
      `VALIDATE_ACCOUNT_STATEshard block id (-2147483648,0000000000000000,0):${'0'.repeat(64)}:${'0'.repeat(64)} in answer is invalid`,
    );
    // Any other name of a block that cannot be is as good.
    const { problems } = flipBits(asked, answer, FLIPS, noSuchShard);
    const firstBit = 8 * (4 + 80);
    const impossible = (problem: string) => {
      const bit = Number(/^bit (\d+): taken/.exec(problem)?.[1]);
      return bit >= firstBit && bit < firstBit + 8 * 80;
    };
    expect(problems.filter((problem) => !impossible(problem))).toEqual([]);
  });

  it.each(
    all
      .filter(({ request }) => request.method === 'runSmcMethod')
      .filter((recorded) => !isProvable(recorded)),
  )('$name has no proof and is refused', ({ request, answer }) => {
    expect(() => checkAnswer(request, answer)).toThrow(ProofFailure);
  });

  it('are refused without the proof of a queue size, unless verify is off', () => {
    const { request, answer } = recordedAnswer('getBlockOutMsgQueueSize', 'getBlockOutMsgQueueSize_mc');
    expect(() => checkAnswer(request, answer)).toThrow(ProofFailure);
    expect(checkAnswer(request, answer, { verify: false })).toBe(0);
  });
});
