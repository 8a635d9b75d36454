import { beforeAll, describe, expect, it } from 'vitest';
import { MASTERCHAIN, WHOLE_SHARD } from '../../../src/chain/block-id.ts';
import { readBoc } from '../../../src/chain/boc/bag.ts';
import { decodeLiteError, splitWaitPrefix } from '../../../src/chain/tl/lite-envelope.ts';
import { createHeadProver } from '../../../src/lite/head-proof.ts';
import { decodeResponse, encodeRequest } from '../../../src/lite/methods/codec.ts';
import { LiteRefusal } from '../../../src/localnet/lite-server/methods/method-context.ts';
import type { ChainStore } from '../../../src/localnet/store/chain-store.ts';
import { checkAnswer, isChecked } from '../../lite/methods/support/check-answer.ts';
import { decodeRequest } from '../../support/lite-server.ts';
import { createQuietLog } from '../../support/quiet-log.ts';
import { missingNetwork } from '../../support/recorded-network.ts';
import { type RecordedQuery, recordedQueries, sharedRecording } from '../support/recorded-network.ts';
import { answersFrom, differences } from './support/answers.ts';

const AFTER_THE_END = 'asks about the head, which was past the end of the recording';

/** Recorded responses that are not reproduced, and why. */
const NOT_REPRODUCED: Record<string, string> = {
  err_waitMasterchainSeqno_timeout: AFTER_THE_END,
  getAccountState_head: AFTER_THE_END,
  getBlockProof_zero_to_head_0: AFTER_THE_END,
  getMasterchainInfo: AFTER_THE_END,
  getMasterchainInfoExt: AFTER_THE_END,
  getOutMsgQueueSizes: AFTER_THE_END,
  getOutMsgQueueSizes_shard: AFTER_THE_END,
  waitMasterchainSeqno_next: AFTER_THE_END,
};

/** Responses with the state's cells in the bytes of another writer, which stores some hashes among them. */
const WHOLE_STATES = ['getState_mc_large', 'getState_nonzero'];

/** Responses without a proof, or with one that there is nothing: a check of them ends with a refusal. */
const NOTHING_TO_CHECK = ['getAccountState_wc5', 'getBlockOutMsgQueueSize_mc'];

/** Responses to which the machine adds its part: we play the recorded one. */
const NEEDS_MACHINE = /^(runSmcMethod_|err_sendMessage_)/;

const queries = recordedQueries('lite').filter(({ name }) => !(name in NOT_REPRODUCED));
const plain = queries.filter(({ name }) => !WHOLE_STATES.includes(name) && !NEEDS_MACHINE.test(name));

describe.skipIf(missingNetwork !== '')(
  `responses of our lite server compared with a recorded node${missingNetwork}`,
  () => {
    let store: ChainStore;
    beforeAll(() => {
      store = sharedRecording();
    });

    it('are all compared', () => {
      expect(recordedQueries('lite')).toHaveLength(169);
      expect(recordedQueries('accounts')).toHaveLength(52);
      expect(Object.keys(NOT_REPRODUCED)).toHaveLength(169 - queries.length);
    });

    it.each([...plain, ...recordedQueries('accounts')])('$name is equal', async (recorded) => {
      expectSame(recorded, await answersFrom(store).bytes(recorded.request));
    });

    it.each(queries.filter(({ name }) => WHOLE_STATES.includes(name)))(
      '$name',
      async ({ request, answer }) => {
        const got = decodeResponse('getState', await answersFrom(store).bytes(request));
        const want = decodeResponse('getState', answer);
        expect(differences({ ...got, data: 0, fileHash: 0 }, { ...want, data: 0, fileHash: 0 })).toEqual([]);
        const [ours, theirs] = [readBoc(got.data), readBoc(want.data)];
        expect(ours.hash(ours.root)).toEqual(theirs.hash(theirs.root));
        expect(ours.count).toBe(theirs.count);
      },
    );

    it.each(queries.filter(({ name }) => name.startsWith('runSmcMethod')))(
      '$name is equal, with the recorded result of the method',
      async (recorded) => {
        const {
          exitCode,
          result = Buffer.alloc(0),
          initC7,
        } = decodeResponse('runSmcMethod', recorded.answer);
        const runGetMethod = async () => ({ exitCode, stack: result, initC7 });
        expectSame(recorded, await answersFrom(store, { runGetMethod }).bytes(recorded.request));
      },
    );

    it.each(queries.filter(({ name }) => name.startsWith('err_sendMessage')))(
      '$name is equal, with the recorded verdict of the TVM',
      async (recorded) => {
        const { code, message } = decodeLiteError(recorded.answer)!;
        const sendMessage = async () => {
          throw new LiteRefusal(
            code,
            message.replace('cannot apply external message to current state : ', ''),
          );
        };
        expectSame(recorded, await answersFrom(store, { sendMessage }).bytes(recorded.request));
      },
    );
  },
);

it.skipIf(missingNetwork !== '')(
  `a client proves the head of the recorded network from its zero state${missingNetwork}`,
  async () => {
    const store = sharedRecording();
    const { zeroState, head } = store;
    const anchor = { ...zeroState, workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno: 0 };
    const memory = { load: async () => undefined, save: async () => undefined };
    const prover = await createHeadProver({ anchor, store: memory, log: createQuietLog() });
    const request = encodeRequest({ method: 'getBlockProof', mode: 0, knownBlock: anchor });
    await prover.prove(() => answersFrom(store).bytes(request), head);
  },
);

/** Expects the recorded response, with proofs that hold. */
function expectSame({ name, request, answer }: RecordedQuery, got: Buffer): void {
  const refused = decodeLiteError(answer);
  if (refused !== undefined) {
    const { code, message } = decodeLiteError(got) ?? {};
    expect({ code, message: withoutHead(message) }).toEqual({
      code: refused.code,
      message: withoutHead(refused.message),
    });
    return;
  }
  expect(decodeLiteError(got)).toBeUndefined();
  const asked = decodeRequest(splitWaitPrefix(request).request);
  expect(differences(decodeResponse(asked.method, got), decodeResponse(asked.method, answer))).toEqual([]);
  // Without the bits that ask for proofs there is nothing to check.
  const isProven = asked.method !== 'runSmcMethod' || (asked.mode & 3) === 3;
  if (isChecked(asked) && isProven && !NOTHING_TO_CHECK.includes(name)) checkAnswer(asked, got);
}

/** The head at the time of asking is part of some texts. */
function withoutHead(text: string | undefined): string | undefined {
  return text?.replace(/(last known masterchain block: )\d+|(perspective of reference block ).*/, '$1$2…');
}
