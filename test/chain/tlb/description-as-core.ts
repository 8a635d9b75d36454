import type {
  CurrencyCollection as CoreAmount,
  TransactionDescription as CoreDescription,
  TransactionComputePhase,
} from '@ton/core';
import { Dictionary } from '@ton/core';
import type { Cells } from '../../../src/chain/boc/cells.ts';
import { type CurrencyCollection, readExtraCurrencies } from '../../../src/chain/tlb/currency.ts';
import type { ActionPhase } from '../../../src/chain/tlb/transaction-action-phase.ts';
import type { ComputePhase } from '../../../src/chain/tlb/transaction-compute-phase.ts';
import type { TransactionDescription } from '../../../src/chain/tlb/transaction-description.ts';
import type { BouncePhase, CreditPhase } from '../../../src/chain/tlb/transaction-phases.ts';
import type { SplitMergeInfo } from '../../../src/chain/tlb/transaction-split-merge.ts';

const number = (hash: Buffer): bigint => BigInt(`0x${hash.toString('hex')}`);
const big = ({ cells, bits }: { cells: number; bits: number }) => ({
  cells: BigInt(cells),
  bits: BigInt(bits),
});

/** Our description of a transaction in the words of @ton/core, where it has any; a prepare transaction is left out. */
export function descriptionAsCore(cells: Cells, ours: TransactionDescription): object {
  const action = 'action' in ours && ours.action ? { actionPhase: actionAsCore(ours.action) } : {};
  const compute = 'compute' in ours ? { computePhase: computeAsCore(ours.compute) } : {};
  const storage = 'storage' in ours ? { storagePhase: ours.storage } : {};
  const splitInfo = 'splitInfo' in ours ? { splitInfo: splitAsCore(ours.splitInfo) } : {};
  const phases = { ...storage, ...compute, ...action, ...splitInfo };
  switch (ours.kind) {
    case 'ord': {
      const { creditFirst, aborted, destroyed, credit, bounce } = ours;
      const creditPhase = credit && creditAsCore(cells, credit);
      const bouncePhase = bounce && bounceAsCore(bounce);
      return { type: 'generic', creditFirst, aborted, destroyed, creditPhase, bouncePhase, ...phases };
    }
    case 'tick_tock': {
      const { isTock, aborted, destroyed } = ours;
      return { type: 'tick-tock', isTock, aborted, destroyed, ...phases };
    }
    case 'split_prepare':
      return { type: 'split-prepare', aborted: ours.aborted, destroyed: ours.destroyed, ...phases };
    case 'split_install':
      return { type: 'split-install', installed: ours.installed, ...phases };
    case 'storage':
      return { type: 'storage', ...phases };
    default:
      throw new Error(`@ton/core cannot read ${ours.kind}`);
  }
}

/** A description of @ton/core in the form that `descriptionAsCore` gives. */
export function comparable(description: CoreDescription): object {
  if (description.type === 'split-install') {
    const { prepareTransaction: _left, ...rest } = description;
    return rest;
  }
  if (description.type !== 'generic' || !description.creditPhase) return description;
  const { credit, dueFeesColelcted } = description.creditPhase;
  return { ...description, creditPhase: { dueFeesColelcted, credit: comparableAmount(credit) } };
}

function comparableAmount({ coins, other }: CoreAmount) {
  return { coins, other: [...(other ?? Dictionary.empty<number, bigint>())] };
}

function computeAsCore(phase: ComputePhase): TransactionComputePhase | object {
  if (phase.skipped) return { type: 'skipped', reason: phase.reason.replace('_', '-') };
  const { skipped: _skipped, msgStateUsed, gasUsed, gasLimit, gasCredit, ...rest } = phase;
  return {
    type: 'vm',
    ...rest,
    messageStateUsed: msgStateUsed,
    gasUsed: BigInt(gasUsed),
    gasLimit: BigInt(gasLimit),
    gasCredit: gasCredit === undefined ? undefined : BigInt(gasCredit),
    vmInitStateHash: number(phase.vmInitStateHash),
    vmFinalStateHash: number(phase.vmFinalStateHash),
  };
}

function actionAsCore(phase: ActionPhase): object {
  const { totActions, msgsCreated, totMsgSize, actionListHash, ...rest } = phase;
  return {
    ...rest,
    totalActions: totActions,
    messagesCreated: msgsCreated,
    actionListHash: number(actionListHash),
    totalMessageSize: big(totMsgSize),
  };
}

function creditAsCore(cells: Cells, { dueFeesCollected, credit }: CreditPhase): object {
  return { dueFeesColelcted: dueFeesCollected, credit: amountAsCore(cells, credit) };
}

function amountAsCore(cells: Cells, amount: CurrencyCollection) {
  return {
    coins: amount.grams,
    other: readExtraCurrencies(cells, amount).map(({ id, amount }) => [id, amount]),
  };
}

function bounceAsCore(phase: BouncePhase): object {
  switch (phase.kind) {
    case 'negfunds':
      return { type: 'negative-funds' };
    case 'nofunds':
      return { type: 'no-funds', messageSize: big(phase.msgSize), requiredForwardFees: phase.reqFwdFees };
    case 'ok':
      return {
        type: 'ok',
        messageSize: big(phase.msgSize),
        messageFees: phase.msgFees,
        forwardFees: phase.fwdFees,
      };
  }
}

function splitAsCore({ curShardPfxLen, accSplitDepth, thisAddr, siblingAddr }: SplitMergeInfo): object {
  return {
    currentShardPrefixLength: curShardPfxLen,
    accountSplitDepth: accSplitDepth,
    thisAddress: number(thisAddr),
    siblingAddress: number(siblingAddr),
  };
}
