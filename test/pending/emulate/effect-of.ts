import { Cell, loadTransaction, type Message, type Transaction } from '@ton/core';
import type { EmulatedTransaction } from '../../../src/pending/emulated-trace.ts';

/** What a transaction did, without what depends on the place in the chain that it has. */
export interface Effect {
  readonly account: string;
  readonly status: string;
  /** Exit code of the compute phase, or why it was skipped; result code of the action phase. */
  readonly compute: number | string;
  readonly action: number | undefined;
  readonly bounced: string | undefined;
  readonly fees: bigint;
  readonly inMessage: string;
  readonly outMessages: readonly string[];
}

/** What a transaction of a trace did. */
export function effectOf({ account, boc }: EmulatedTransaction): Effect {
  return effectOfCell(account.workchain, Cell.fromBoc(boc)[0]!);
}

/** What a transaction did. */
export function effectOfCell(workchain: number, cell: Cell): Effect {
  const transaction: Transaction = loadTransaction(cell.beginParse());
  const { description, oldStatus, endStatus } = transaction;
  if (description.type !== 'generic') throw new Error('a transaction without a message');
  const { computePhase: compute, actionPhase, bouncePhase } = description;
  return {
    account: `${workchain}:${transaction.address.toString(16).padStart(64, '0')}`,
    status: `${oldStatus} ${endStatus}`,
    compute: compute.type === 'vm' ? compute.exitCode : compute.reason,
    action: actionPhase?.resultCode,
    bounced: bouncePhase?.type,
    fees: transaction.totalFees.coins,
    inMessage: textOf(transaction.inMessage!),
    outMessages: transaction.outMessages.values().map(textOf),
  };
}

function textOf({ info, init, body }: Message): string {
  const parts = [`${info.src} to ${info.dest}`, body.hash().toString('hex')];
  if (init != null) parts.push('with init');
  if (info.type === 'internal')
    parts.push(
      `${info.value.coins} ${info.value.other?.size ?? 0} ${info.bounce} ${info.bounced} ${info.forwardFee}`,
    );
  return parts.join(', ');
}
