import { readBoc } from '../../chain/boc/read-boc.ts';
import { readMessage } from '../../chain/tlb/message.ts';
import { accountOf } from '../../chain/tlb/msg-address.ts';
import type { AcceptedMessage } from '../accepted-message.ts';
import type { EmulationPayer } from '../emulation-budget.ts';
import type { AccountPlace } from '../emulation-ground.ts';
import { type KeptTrace, traceKey } from '../store/trace-store.ts';
import type { RealPart } from './real-part.ts';

/** A message of this process, from when it was accepted until it ends. */
export interface Entry {
  readonly key: string;
  readonly message: AcceptedMessage;
  /** The account that it is for. */
  readonly account: AccountPlace;
  readonly payer: EmulationPayer;
  /** Unix seconds, and milliseconds that never go back. */
  readonly acceptedAt: number;
  readonly acceptedMs: number;
  readonly sinceSeqno: number;
  /** What is shown; undefined before the first emulation, and where the account has not taken the message yet. */
  trace: KeptTrace | undefined;
  /** The last transaction of the account before the prediction; undefined without one. */
  baseLt: bigint | undefined;
  /** Unix seconds of the last prediction. */
  predictedAt: number;
  /** How often in a row the account would not take the message, or that could not be found out. */
  refusals: number;
  failures: number;
  /** Whether it counts against who sent it. */
  isCounted: boolean;
  /** It waits for its first emulation, or somebody is at work on it. */
  isBusy: boolean;
  /** What of the trace is in blocks. */
  real: RealPart | undefined;
}

interface Arrival {
  readonly message: AcceptedMessage;
  readonly payer: EmulationPayer;
  readonly acceptedAt: number;
  readonly acceptedMs: number;
  readonly sinceSeqno: number;
}

/** A message that was just accepted; undefined for one to an address that no account has. */
export function openEntry({ message, ...arrival }: Arrival): Entry | undefined {
  const bag = readBoc(message.boc);
  const { info } = readMessage(bag, bag.root);
  if (info.dest.kind !== 'std') return undefined;
  return {
    ...arrival,
    message,
    key: traceKey(message.normalizedHash),
    account: { workchain: info.dest.workchain, hash: Buffer.from(accountOf(info.dest)) },
    trace: undefined,
    baseLt: undefined,
    predictedAt: 0,
    refusals: 0,
    failures: 0,
    isCounted: false,
    isBusy: true,
    real: undefined,
  };
}
