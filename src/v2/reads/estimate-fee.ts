import { MASTERCHAIN } from '../../chain/block-id.ts';
import type { CellBag } from '../../chain/boc/cell-bag.ts';
import { librariesIn } from '../../chain/boc/libraries-in.ts';
import { writeBoc } from '../../chain/boc/write-boc.ts';
import { forwardFee, sizeOfCells } from '../../chain/fees/forward-fee.ts';
import { gasBought, gasFee } from '../../chain/fees/gas-fee.ts';
import { storageFee } from '../../chain/fees/storage-fee.ts';
import type { ForwardPrices } from '../../chain/tlb/config-forward-prices.ts';
import type { ExternalParts } from '../../chain/tlb-write/external-message.ts';
import type { LiteTarget } from '../../lite/session.ts';
import type { V2Call } from '../call.ts';
import { accountAtBlock } from './account-at.ts';
import { actionFees } from './action-fees.ts';
import { type ExternalOutcome, NOT_ACCEPTED, runExternal } from './external-run.ts';
import { type FeePayer, readFeePayer } from './fee-payer.ts';
import { type FeePrices, readFeePrices } from './fee-prices.ts';
import { latestConfig } from './latest-config.ts';
import { NO_SESSION, openSession } from './open-session.ts';
import { queryMessage } from './query-message.ts';
import { RunLibraries } from './run-libraries.ts';

/** A message whose fees are asked for. */
export interface FeeQuestion extends ExternalParts {
  /** Every check of a signature succeeds. */
  readonly ignoreSignature: boolean;
}

/** What a message from outside would cost an account, in nanotons. */
export interface FeeEstimate {
  readonly importFee: bigint;
  readonly storageFee: bigint;
  readonly gasFee: bigint;
  readonly forwardFee: bigint;
}

/** Estimates the fees of a message at the newest block, as tonlib does: from a run of the contract, not a transaction. */
export async function estimateFee(call: V2Call, question: FeeQuestion): Promise<FeeEstimate> {
  const message = queryMessage(question);
  const isMasterchain = question.to.workchain === MASTERCHAIN;
  const session = await openSession(call, { refusalPrefix: NO_SESSION });
  return session.run(async (target) => {
    const proven = await accountAtBlock(call, target, target.reference, question.to);
    const payer = readFeePayer(proven, question.init);
    const prices = readFeePrices(await latestConfig(call, target), isMasterchain);
    const { accepted, gasUsed, actions } = await runMessage(call, target, question, payer, prices);
    return {
      importFee: importFee(message, prices.importing),
      storageFee: storageFee(payer.storage, payer.utime, prices.storage, isMasterchain),
      gasFee: accepted ? gasFee(gasUsed, prices.gas) : 0n,
      forwardFee: actions === undefined ? 0n : actionFees(actions, isMasterchain, prices),
    };
  });
}

async function runMessage(
  call: V2Call,
  target: LiteTarget,
  { to, body, ignoreSignature }: FeeQuestion,
  { code, ...payer }: FeePayer,
  { gas, importing }: FeePrices,
): Promise<ExternalOutcome> {
  // By tonlib's rule a message is accepted once no credit is left, and who cannot pay any gas has none to begin with.
  const hasCredit = gas.gasCredit > 0n && gasBought(payer.balance, gas) > 0n;
  if (!hasCredit) return { accepted: true, gasUsed: 0n, actions: undefined };
  if (code === undefined) return NOT_ACCEPTED;
  const libraries = new RunLibraries(call, target);
  await libraries.add(librariesIn(code.cells, code.cell));
  const { vm: config, prevBlocks } = await latestConfig(call, target);
  // The contract gets the message without the init, which it has become already.
  const message = queryMessage({ to, body });
  const run = {
    ...{ ...payer, account: to, code, ignoreSignature, config, prevBlocks, libraries: libraries.share() },
    message: writeBoc({ cells: message, roots: [message.root] }, { order: 'core', crc: false }),
    importFee: importFee(message, importing),
  };
  const limits = { timeoutMs: call.deadlineMs - performance.now(), signal: call.signal };
  return runExternal(call.ports.vm, run, limits);
}

/** The fee for bringing a message into the chain; its root cell is free. */
function importFee(message: CellBag, prices: ForwardPrices): bigint {
  const refs = Array.from({ length: message.refCount(message.root) }, (_, i) => message.ref(message.root, i));
  return forwardFee(sizeOfCells(message, refs), prices);
}
