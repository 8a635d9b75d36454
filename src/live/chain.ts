import type { AccountId } from '../chain/address.ts';
import type { CellBag } from '../chain/boc/bag.ts';
import type { CellRef } from '../chain/boc/cells.ts';
import type { StackEntry } from '../chain/stack/entries.ts';
import { ClientDisconnects } from '../lib/client-disconnects.ts';
import { Deadlines } from '../lib/deadlines.ts';
import type { Log } from '../lib/log.ts';
import { type AccountState, readAccountAt, readAccountState } from './accounts.ts';
import { readConfigAt } from './config.ts';
import { checkStillWaiting, Execution } from './execution.ts';
import { type ExternalMessage, readExternalMessage } from './external-messages.ts';
import { estimateFee, type FeeEstimate, type FeeRequest } from './fees.ts';
import { admitGetMethod, type GetMethodResult, runGetMethod } from './get-methods.ts';
import { broadcastMessage } from './send-messages.ts';
import type { Caller, LiveCall, LivePorts } from './session.ts';

/** The chain as lite servers have it now, for callers without a call of their own. */
export interface LiveChain {
  /** Undefined for an account that does not exist. */
  accountState(account: AccountId, request: LiveRequest): Promise<AccountState | undefined>;
  /** The newest config: the root of its params. */
  config(request: LiveRequest): Promise<CellRef>;
  runGetMethod(method: GetMethodCall, request: LiveRequest): Promise<GetMethodResult>;
  estimateFee(message: FeeRequest, request: LiveRequest): Promise<FeeEstimate>;
  /** Throws InvalidExternalMessage for a bag that is not an external message. */
  sendMessage(bag: CellBag, request: LiveRequest): Promise<Pick<ExternalMessage, 'hash' | 'normalizedHash'>>;
}

export interface LiveRequest {
  readonly log: Log;
  readonly caller: Caller;
  /** A deadline before the one of the request, on the clock of `performance.now`. */
  readonly untilMs?: number;
}

interface GetMethodCall {
  readonly account: AccountId;
  readonly methodId: number;
  readonly stack: readonly StackEntry[];
}

/** Creates the view of the chain that v3 uses. */
export function createLiveChain(ports: LivePorts): LiveChain {
  const limits = { deadlines: new Deadlines(), disconnects: new ClientDisconnects() };

  /** Works until there is a result, the time is over or the client has disconnected. */
  async function run<T>(
    { log, caller, untilMs }: LiveRequest,
    work: (call: LiveCall) => Promise<T>,
  ): Promise<T> {
    const { client, group, startedAtMs } = caller;
    const deadlineMs = Math.min(startedAtMs + ports.requestMs, untilMs ?? Number.POSITIVE_INFINITY);
    checkStillWaiting({ client, deadlineMs });
    const execution = new Execution<T>({ ports, log, group, deadlineMs, caller });
    execution.follow(work(execution), () => {});
    return execution.wait({ client, deadlineMs }, limits);
  }

  return {
    accountState: (account, request) =>
      run(request, async (call) => readAccountState((await readAccountAt(call, account, undefined)).proven)),
    config: (request) => run(request, (call) => readConfigAt(call, { seqno: undefined })),
    runGetMethod: ({ account, methodId, stack }, request) =>
      run(request, async (call) => {
        admitGetMethod(call);
        return runGetMethod(call, await readAccountAt(call, account, undefined), methodId, stack);
      }),
    estimateFee: (message, request) => run(request, (call) => estimateFee(call, message)),
    sendMessage: async (bag, request) => {
      const message = readExternalMessage(bag);
      await run(request, (call) => broadcastMessage(call, message));
      return message;
    },
  };
}
