import { Failure } from '../../lib/failure.ts';
import type { EmulatedTrace } from '../../pending/emulated-trace.ts';
import type { PendingClassification } from '../../pending/pending-traces.ts';
import type { EmulateCall } from './emulate-call.ts';

/** What is to be emulated. */
export interface EmulationQuestion {
  /** A message from outside as a bag of cells. */
  readonly message: Uint8Array;
  /** Every signature check succeeds. */
  readonly ignoreSignature: boolean;
  /** The masterchain block from which on. */
  readonly seqno: number | undefined;
}

/** What is left of the time of a request for what comes after the emulation: actions, and what is said of addresses. */
const REST_MS = 500;

/** Emulates a message at the expense of the caller. A message that the account does not take is a failure. */
export async function runEmulation(call: EmulateCall, question: EmulationQuestion): Promise<EmulatedTrace> {
  const { emulation, caller, signal } = call;
  const leftMs = call.deadlineMs - REST_MS - performance.now();
  const budgetMs = Math.max(1, Math.min(call.mostMs, leftMs));
  const outcome = await emulation.emulator.emulate({ ...question, group: caller.group, budgetMs, signal });
  call.charge(outcome.vmSeconds * 1000);
  if ('transactions' in outcome) return outcome;
  const { exitCode, text } = outcome;
  throw new Failure('lite_server', exitCode === undefined ? text : `${text} (exit code ${exitCode})`);
}

/** What happens in a trace that was emulated. */
export async function classifyEmulated(
  { emulation, signal }: EmulateCall,
  { externalHash, normalizedHash, mcSeqno, transactions }: EmulatedTrace,
): Promise<PendingClassification> {
  const classification = await emulation.classify(
    {
      ...{ externalHash, normalizedHash },
      transactions: transactions.map(({ account, boc, after }) => ({ account, boc, after, mcSeqno })),
    },
    signal,
  );
  signal.throwIfAborted();
  if (classification.state === 'unclassified')
    throw new Failure('lite_server', 'the actions of the trace could not be told');
  return classification;
}
