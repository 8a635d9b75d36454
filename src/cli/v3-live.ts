import type { CellBag } from '../chain/boc/cell-bag.ts';
import { readAccount } from '../chain/tlb/account.ts';
import { readExtraCurrencies } from '../chain/tlb/currency.ts';
import { HangUps } from '../http/hang-ups.ts';
import { Deadlines } from '../lib/deadlines.ts';
import { Failure } from '../lib/failure.ts';
import { LiteBudgetSpent } from '../lite/errors.ts';
import type { ProvenAccount } from '../lite/proofs/account-state.ts';
import { proving } from '../lite/proofs/proof-scope.ts';
import type { AcceptedMessage } from '../pending/accepted-message.ts';
import { clientGone, Execution } from '../v2/cache/execution.ts';
import type { V2Call, V2Ports } from '../v2/call.ts';
import { readAccountAt } from '../v2/reads/account-at.ts';
import { estimateFee } from '../v2/reads/estimate-fee.ts';
import { readExternalMessage } from '../v2/reads/external-message.ts';
import { runGetMethod } from '../v2/reads/run-get-method.ts';
import { sendToServers } from '../v2/reads/send-message.ts';
import type { LiveAccount, LiveAsker, LiveChain } from '../v3/live/live-chain.ts';

/** The chain for v3, read by the same means as for v2. */
export function createV3Live(ports: V2Ports): LiveChain {
  const impatience = { deadlines: new Deadlines(), hangUps: new HangUps() };

  /** Works until there is a result, the time is over or the client has gone. */
  async function run<T>({ log, caller, untilMs }: LiveAsker, work: (call: V2Call) => Promise<T>): Promise<T> {
    const { client, group, startedAtMs } = caller;
    const deadlineMs = Math.min(startedAtMs + ports.requestMs, untilMs ?? Number.POSITIVE_INFINITY);
    if (client.destroyed) throw clientGone();
    if (deadlineMs <= performance.now()) throw new LiteBudgetSpent();
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
      await run(asker, (call) => sendToServers(call, message));
      return message;
    },
  };
}

function liveAccount({ account: found, lastTransLt, lastTransHash }: ProvenAccount): LiveAccount | undefined {
  if (found === undefined) return undefined;
  const { cells, cell } = found;
  return proving('VALIDATE_ACCOUNT_STATE', () => {
    const account = readAccount(cells, cell);
    if (account === undefined) return undefined;
    const { balance, state } = account;
    const at = (root: number) => (root < 0 ? undefined : { cells, cell: root });
    const isActive = state.kind === 'active';
    return {
      ...{ hash: Buffer.from(cells.hash(cell, 0)), status: state.kind, balance: balance.grams },
      extraCurrencies: readExtraCurrencies(cells, balance),
      code: isActive ? at(state.init.code) : undefined,
      data: isActive ? at(state.init.data) : undefined,
      frozenHash: state.kind === 'frozen' ? state.stateHash : undefined,
      ...{ lastTransLt, lastTransHash },
    };
  });
}

/** To v2 a cell that is no message is a failure of the server; here it is the caller's. */
function readMessage(bag: CellBag): AcceptedMessage {
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
