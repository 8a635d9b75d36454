import { defineOperation, type Operation } from '../../http/operation.ts';
import { uint64Param } from '../params/uint64.ts';
import { composeTransfer } from './compose-transfer.ts';
import type { EmulateCall } from './emulate-call.ts';
import { EMULATION_EXAMPLE } from './emulate-examples.ts';
import { viewParams } from './emulate-params.ts';
import { runEmulation } from './run-emulation.ts';
import { emulationSchema, showEmulation } from './show-emulation.ts';
import { messagesParam, senderParam } from './ton-connect-params.ts';

const [ALICE, BOB] = ['1', '2'].map((digit) => `0:${digit.repeat(64)}`);
const VALID_SECONDS = 300;
const MAX_UINT32 = 2n ** 32n - 1n;

/** Says what a wallet would do with a request of a dApp. */
export function createEmulateTonConnect(): Operation<EmulateCall> {
  return defineOperation({
    name: 'emulateTonConnect',
    methods: ['POST'],
    tag: 'emulate',
    summary: 'What messages of a wallet would do',
    description:
      'Makes the message from outside that tells the wallet to send up to four messages, by the kind of the wallet (v1 to v4, v5 r1), and emulates it without regard to signatures. The header `X-Actions-Version` tells the types of actions that the caller knows; without it they are those of `v1`.',
    parameters: {
      from: senderParam(),
      messages: messagesParam(),
      valid_until: uint64Param({
        description: 'Unix time after which the wallet does not take it: seconds, or smaller units of time.',
      }),
      ...viewParams(),
    },
    ignoreUnknownProperties: true,
    result: emulationSchema,
    errors: [{ code: 500, when: 'an account that is no wallet, or does not take the message' }],
    cache: 'none',
    examples: [
      {
        title: 'A transfer',
        params: { from: ALICE, messages: [{ address: BOB, amount: '1000000' }] },
        varies: true,
        result: EMULATION_EXAMPLE,
      },
      {
        title: 'No messages',
        params: { from: ALICE, messages: [] },
        failure: { code: 400, text: 'invalid request: messages array cannot be empty' },
      },
    ],
    handler: async ({ from, messages, valid_until, ...view }, call: EmulateCall) => {
      const { emulation, caller, deadlineMs, signal } = call;
      const seqno = view.mc_block_seqno;
      const budgetMs = Math.max(1, deadlineMs - performance.now());
      const moment = await emulation.ground.open({ seqno, group: caller.group, budgetMs, signal });
      const { boc } = await moment.account(from);
      const validUntil = valid_until === undefined ? moment.utime + VALID_SECONDS : toSeconds(valid_until);
      const message = composeTransfer(boc, { from, messages, validUntil });
      const trace = await runEmulation(call, { message, ignoreSignature: true, seqno });
      return showEmulation(call, trace, { ...view, version: call.options.actionsVersion ?? 'v1' });
    },
  });
}

/** Some dApps give the time in milliseconds, microseconds or nanoseconds. A wallet has 32 bits for it. */
function toSeconds(time: bigint): number {
  let seconds = time;
  for (let steps = 0; steps < 3 && seconds >= 10n ** 12n; steps++) seconds /= 1000n;
  return Number(seconds > MAX_UINT32 ? MAX_UINT32 : seconds);
}
