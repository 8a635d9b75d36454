import { MASTERCHAIN } from '../../chain/block-id.ts';
import type { CellBag } from '../../chain/boc/cell-bag.ts';
import { writeBoc } from '../../chain/boc/write-boc.ts';
import { forwardFee, sizeOfCells } from '../../chain/fees/forward-fee.ts';
import { gasBought, gasFee } from '../../chain/fees/gas-fee.ts';
import { storageFee } from '../../chain/fees/storage-fee.ts';
import type { ForwardPrices } from '../../chain/tlb/config-forward-prices.ts';
import type { ExternalParts } from '../../chain/tlb-write/external-message.ts';
import type { V2Call } from '../call.ts';
import { actionFees } from './action-fees.ts';
import { type ExternalOutcome, NOT_ACCEPTED, runExternal } from './external-run.ts';
import { type FeePayer, readFeePayer } from './fee-payer.ts';
import { type FeePrices, readFeePrices } from './fee-prices.ts';
import { type Moment, openMoment } from './open-moment.ts';
import { NO_SESSION } from './open-session.ts';
import type { LatestConfig } from './prepared-config.ts';
import { queryMessage } from './query-message.ts';

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

/**
 * Estimates the fees of a message at the newest block, as tonlib does: from a run of the contract, not a transaction.
 * The account, the configuration and the libraries are read, and the message is run, as for the emulation of a trace;
 * it differs in the account that the message goes to (`runExternal`) and in what is added up.
 */
export async function estimateFee(call: V2Call, question: FeeQuestion): Promise<FeeEstimate> {
  const message = queryMessage(question);
  const isMasterchain = question.to.workchain === MASTERCHAIN;
  const moment = await openMoment(call, { refusalPrefix: NO_SESSION });
  const [proven, config] = await Promise.all([moment.account(question.to), moment.config()]);
  const payer = readFeePayer(proven, question.init);
  const prices = readFeePrices(config, isMasterchain);
  const { accepted, gasUsed, actions } = await runMessage(call, question, { moment, config, payer, prices });
  return {
    importFee: importFee(message, prices.importing),
    storageFee: storageFee(payer.storage, payer.utime, prices.storage, isMasterchain),
    gasFee: accepted ? gasFee(gasUsed, prices.gas) : 0n,
    forwardFee: actions === undefined ? 0n : actionFees(actions, isMasterchain, prices),
  };
}

interface Surroundings {
  readonly moment: Moment;
  readonly config: LatestConfig;
  readonly payer: FeePayer;
  readonly prices: FeePrices;
}

async function runMessage(
  call: V2Call,
  { to, body, ignoreSignature }: FeeQuestion,
  { moment, config, payer: { code, ...payer }, prices: { gas, importing } }: Surroundings,
): Promise<ExternalOutcome> {
  // By tonlib's rule a message is accepted once no credit is left, and who cannot pay any gas has none to begin with.
  const hasCredit = gas.gasCredit > 0n && gasBought(payer.balance, gas) > 0n;
  if (!hasCredit) return { accepted: true, gasUsed: 0n, actions: undefined };
  if (code === undefined) return NOT_ACCEPTED;
  // The contract gets the message without the init, which it has become already.
  const message = queryMessage({ to, body });
  const run = {
    ...{ ...payer, account: to, code, ignoreSignature, config: config.vm, prevBlocks: config.prevBlocks },
    message: writeBoc({ cells: message, roots: [message.root] }, { order: 'core', crc: false }),
    importFee: importFee(message, importing),
  };
  return runExternal(call.ports.vm, run, moment.libraries, call);
}

/** The fee for bringing a message into the chain; its root cell is free. */
function importFee(message: CellBag, prices: ForwardPrices): bigint {
  const refs = Array.from({ length: message.refCount(message.root) }, (_, i) => message.ref(message.root, i));
  return forwardFee(sizeOfCells(message, refs), prices);
}
