import type { FastifyBaseLogger } from 'fastify';
import type { AccountId } from '../chain/address.ts';
import type { CellBag } from '../chain/boc/bag.ts';
import type { StackEntry } from '../chain/stack/entries.ts';
import { Deadlines } from '../lib/deadlines.ts';
import { Failure } from '../lib/errors.ts';
import { HangUps } from '../lib/hang-ups.ts';
import { LiteBudgetExceeded } from '../lite/errors.ts';
import { type LiveAccount, liveAccount, readAccountAt } from './accounts.ts';
import { clientGone, Execution } from './execution.ts';
import { type ExternalMessage, readExternalMessage } from './external-messages.ts';
import { estimateFee } from './fees.ts';
import { runGetMethod } from './get-methods.ts';
import { broadcastMessage } from './send-messages.ts';
import type { Caller, LiveCall, LivePorts } from './session.ts';

/** For whom lite servers are asked, and until when. */
interface LiveRequest {
  readonly log: FastifyBaseLogger;
  readonly caller: Caller;
  /** When the answer is of no use any more, on the clock of `performance.now`; not later than a request may take. */
  readonly untilMs?: number;
}

/** A get-method to be run. */
interface GetMethodCall {
  readonly account: AccountId;
  readonly methodId: number;
  readonly stack: readonly StackEntry[];
}

/** What it gave; the top of the stack comes last. */
interface LiveRunResult {
  readonly exitCode: number;
  readonly gasUsed: number;
  readonly stack: readonly StackEntry[];
}

/** A message from outside whose fees are asked for. */
interface LiveFeeQuestion {
  readonly to: AccountId;
  readonly body: CellBag;
  readonly init: { readonly code: CellBag; readonly data: CellBag } | undefined;
  /** Every check of a signature succeeds. */
  readonly ignoreSignature: boolean;
}

/** What it would cost, in nanotons. */
interface LiveFees {
  readonly importFee: bigint;
  readonly storageFee: bigint;
  readonly gasFee: bigint;
  readonly forwardFee: bigint;
}

/** The chain as lite servers show it at this moment. */
export interface LiveChain {
  /** Undefined for an account that does not exist. */
  accountState(account: AccountId, asker: LiveRequest): Promise<LiveAccount | undefined>;
  runGetMethod(run: GetMethodCall, asker: LiveRequest): Promise<LiveRunResult>;
  estimateFee(question: LiveFeeQuestion, asker: LiveRequest): Promise<LiveFees>;
  /** Sends a message from outside and tells its hashes; refuses what is none. */
  sendMessage(
    message: CellBag,
    asker: LiveRequest,
  ): Promise<{ readonly hash: Buffer; readonly normalizedHash: Buffer }>;
}

/** The chain for v3, read by the same means as for v2. */
export function createLiveChain(ports: LivePorts): LiveChain {
  const impatience = { deadlines: new Deadlines(), hangUps: new HangUps() };

  /** Works until there is a result, the time is over or the client has gone. */
  async function run<T>(
    { log, caller, untilMs }: LiveRequest,
    work: (call: LiveCall) => Promise<T>,
  ): Promise<T> {
    const { client, group, startedAtMs } = caller;
    const deadlineMs = Math.min(startedAtMs + ports.requestMs, untilMs ?? Number.POSITIVE_INFINITY);
    if (client.destroyed) throw clientGone();
    if (deadlineMs <= performance.now()) throw new LiteBudgetExceeded();
    const execution = new Execution<T>({ ports, log, group, deadlineMs, caller });
    execution.follow(work(execution), () => {});
    return execution.wait({ client, deadlineMs }, impatience);
  }

  return {
    accountState: (account, asker) =>
      run(asker, async (call) => liveAccount((await readAccountAt(call, account, undefined)).proven)),
    runGetMethod: ({ account, methodId, stack }, asker) =>
      run(asker, async (call) =>
        runGetMethod(call, await readAccountAt(call, account, undefined), methodId, stack),
      ),
    estimateFee: (question, asker) => run(asker, (call) => estimateFee(call, question)),
    sendMessage: async (bag, asker) => {
      const message = readMessage(bag);
      await run(asker, (call) => broadcastMessage(call, message));
      return message;
    },
  };
}

/** To v2 a cell that is no message is a failure of the server; here it is the caller's. */
function readMessage(bag: CellBag): ExternalMessage {
  try {
    return readExternalMessage(bag);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const details = { parameter: 'boc' };
    throw new Failure('invalid', `boc is not a message from outside: ${error.message}`, {
      details,
      cause: error,
    });
  }
}
