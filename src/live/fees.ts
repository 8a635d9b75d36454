import { beginCell, type Cell, Dictionary } from '@ton/core';
import type { AccountId } from '../chain/address.ts';
import { MASTERCHAIN } from '../chain/block-id.ts';
import { type CellBag, readBoc } from '../chain/boc/bag.ts';
import { CellError, type CellRef, type Cells } from '../chain/boc/cells.ts';
import { Slice } from '../chain/boc/slice.ts';
import { toCoreCell } from '../chain/boc/ton-core.ts';
import { writeCellBoc } from '../chain/boc/writer.ts';
import { walletCodeOf } from '../chain/contracts/wallets.ts';
import { readAccount, type StorageInfo } from '../chain/tlb/account.ts';
import { configParam, readConfigAddress, readFundamentalAddresses } from '../chain/tlb/config.ts';
import {
  affordableGas,
  countCells,
  type ForwardPrices,
  forwardFee,
  gasFee,
  readForwardPrices,
  readGasPrices,
  readStoragePrices,
  storageFee,
} from '../chain/tlb/config-prices.ts';
import { type ExternalParts, type Message, type MessagePart, readMessage } from '../chain/tlb/message.ts';
import { readTransaction } from '../chain/tlb/transaction.ts';
import { Failure } from '../lib/errors.ts';
import type { ProvenAccount } from '../lite/methods/accounts.ts';
import { runProofCheck } from '../lite/methods/proofs.ts';
import { type LibrarySource, runWithLibraries } from '../vm/run-with-libraries.ts';
import type { TransactionRun } from '../vm/runs.ts';
import { prepareConfig, type VmConfig } from '../vm/shared-inputs.ts';
import type { BlockConfig } from './caches.ts';
import { openChainSnapshot } from './emulation.ts';
import { buildExternalMessage } from './external-messages.ts';
import { admitToVm, runLimitsOf } from './get-methods.ts';
import { type LiveCall, NO_SESSION_PREFIX } from './session.ts';

export interface FeeRequest extends ExternalParts {
  /** Every signature check succeeds. */
  readonly ignoreSignature: boolean;
}

/** The fees of an external message for its account, in nanotons. */
export type FeeEstimate = Readonly<Awaited<ReturnType<typeof estimateFee>>>;

/**
 * Estimates the fees of a message at the newest block as tonlib does: from a run of the contract, not from a
 * transaction. Account, config and libraries are read and the message is run as in the emulation of a trace; the
 * difference is the account that gets the message (`runExternal`) and which fees are added up.
 */
export async function estimateFee(call: LiveCall, request: FeeRequest) {
  admitToVm(call);
  const message = buildExternalMessage(request);
  const isMasterchain = request.to.workchain === MASTERCHAIN;
  const snapshot = await openChainSnapshot(call, { refusalPrefix: NO_SESSION_PREFIX });
  const [proven, config] = await Promise.all([snapshot.account(request.to), snapshot.config()]);
  const account = readFeeAccount(proven, request.init);
  const prices = readFeePrices(config, isMasterchain);
  const outcome = await runMessage(call, request, snapshot.libraries, config, account, prices);
  const { accepted, gasUsed, actions } = outcome;
  return {
    importFee: importFee(message, prices.importing),
    storageFee: storageFee(account.storage, account.utime, prices.storage, isMasterchain),
    gasFee: accepted ? gasFee(gasUsed, prices.gas) : 0n,
    forwardFee: actions === undefined ? 0n : actionFees(actions, isMasterchain, prices),
  };
}

async function runMessage(
  call: LiveCall,
  { to, body, ignoreSignature }: FeeRequest,
  libraries: LibrarySource,
  config: BlockConfig,
  { code, ...account }: FeeAccount,
  { gas, importing }: FeePrices,
): Promise<ExternalOutcome> {
  // By tonlib's rule a message is accepted once no credit is left; an account that can pay no gas has no credit at all.
  const hasCredit = gas.gasCredit > 0n && affordableGas(account.balance, gas) > 0n;
  if (!hasCredit) return { accepted: true, gasUsed: 0n, actions: undefined };
  if (code === undefined) return NOT_ACCEPTED;
  const address = ordinaryAddress(config, to);
  // The contract gets the message without the init: the init is its state already.
  const message = buildExternalMessage({ to: address, body });
  const run = {
    ...account,
    account: address,
    code,
    ignoreSignature,
    config: configWithoutSpecial(config, to),
    prevBlocks: config.prevBlocks,
    message: writeCellBoc(message, message.root),
    importFee: importFee(message, importing),
  };
  return runExternal(call, run, libraries);
}

/**
 * The address that a contract runs at. To the emulator the config contract is special whatever the config says, so its
 * code runs elsewhere, with the same balance.
 */
function ordinaryAddress({ cells, cell }: BlockConfig, { workchain, hash }: AccountId): AccountId {
  const isConfig = workchain === MASTERCHAIN && readConfigAddress(cells, cell, 0)?.equals(hash);
  return { workchain, hash: isConfig ? Buffer.alloc(32, 1) : hash };
}

const withoutSpecial = new WeakMap<VmConfig, VmConfig>();

/**
 * The config of a run. tonlib knows no special accounts, such as the elector: their gas is limited as that of all
 * others, and not to hundreds of millions. To the emulator they are special by config param 31, so it is left out.
 */
function configWithoutSpecial({ cells, cell, vm }: BlockConfig, { workchain, hash }: AccountId): VmConfig {
  if (workchain !== MASTERCHAIN) return vm;
  const special = configParam(cells, cell, SPECIAL_ACCOUNTS);
  const isSpecial = special >= 0 && readFundamentalAddresses(cells, special).some((one) => hash.equals(one));
  if (!isSpecial) return vm;
  const prepared = withoutSpecial.get(vm) ?? prepareConfig(withoutParam(cells, cell, SPECIAL_ACCOUNTS));
  withoutSpecial.set(vm, prepared);
  return prepared;
}

function withoutParam(cells: Cells, cell: number, index: number): Buffer {
  const params = toCoreCell(cells, cell)
    .beginParse()
    .loadDictDirect(Dictionary.Keys.Int(32), Dictionary.Values.Cell());
  params.delete(index);
  return beginCell().storeDictDirect(params).endCell().toBoc({ idx: false, crc32: false });
}

/** The fee for importing a message into the chain; its root cell is free. */
function importFee(message: CellBag, prices: ForwardPrices): bigint {
  const refs = Array.from({ length: message.refCount(message.root) }, (_, i) => message.ref(message.root, i));
  return forwardFee(countCells(message, refs), prices);
}

interface FeeAccount extends Pick<ExternalRun, 'data' | 'balance' | 'extraCurrencies' | 'utime'> {
  readonly code: CellRef | undefined;
  readonly storage: Pick<StorageInfo, 'usedCells' | 'usedBits' | 'lastPaid'>;
}

const NO_ACCOUNT = {
  code: undefined,
  data: undefined,
  balance: 0n,
  extraCurrencies: undefined,
  storage: { usedCells: 0, usedBits: 0, lastPaid: 0 },
};

/** Reads the account that would pay. The init of the message replaces its code and data. */
function readFeeAccount(proven: ProvenAccount, init: ExternalParts['init']): FeeAccount {
  return {
    ...readExisting(proven),
    ...(init && {
      code: { cells: init.code, cell: init.code.root },
      data: { cells: init.data, cell: init.data.root },
    }),
    utime: proven.genUtime,
  };
}

function readExisting({ account: result }: ProvenAccount): Omit<FeeAccount, 'utime'> {
  if (result === undefined) return NO_ACCOUNT;
  const { cells } = result;
  return runProofCheck('VALIDATE_ACCOUNT_STATE', () => {
    const account = readAccount(cells, result.cell);
    if (account === undefined) return NO_ACCOUNT;
    const { balance, state, storageInfo: storage } = account;
    const at = (cell: number): CellRef | undefined => (cell < 0 ? undefined : { cells, cell });
    return {
      code: state.kind === 'active' ? at(state.init.code) : undefined,
      data: state.kind === 'active' ? at(state.init.data) : undefined,
      balance: balance.grams,
      extraCurrencies: at(balance.extra),
      storage,
    };
  });
}

export type FeePrices = Readonly<ReturnType<typeof readFeePrices>>;

function readFeePrices({ cells, cell }: CellRef, isMasterchain: boolean) {
  const param = (index: number): number => {
    const result = configParam(cells, cell, index);
    if (result < 0) throw internalFailure(`configuration parameter ${index} is absent`);
    return result;
  };
  const forward = readForwardPrices(cells, param(25));
  const masterchainForward = readForwardPrices(cells, param(24));
  return {
    storage: readStoragePrices(cells, param(18)),
    /** Of the account's workchain. */
    gas: readGasPrices(cells, param(isMasterchain ? 20 : 21)),
    /** For a message between accounts outside the masterchain. */
    forward,
    /** For a message to or from the masterchain. */
    masterchainForward,
    /** For an external message to the account; one of the two above. */
    importing: isMasterchain ? masterchainForward : forward,
  };
}

interface ExternalRun extends Pick<TransactionRun, 'config' | 'prevBlocks' | 'utime' | 'ignoreSignature'> {
  readonly account: AccountId;
  readonly code: CellRef;
  readonly data: CellRef | undefined;
  /** The balance that the contract sees. */
  readonly balance: bigint;
  /** The root of a dictionary. */
  readonly extraCurrencies: CellRef | undefined;
  /** The message as a bag of cells, without an init. */
  readonly message: Uint8Array;
  /** Taken from the balance before the contract runs. */
  readonly importFee: bigint;
}

interface ExternalOutcome {
  readonly accepted: boolean;
  readonly gasUsed: bigint;
  /** The list of output actions, if the run succeeded. */
  readonly actions: CellRef | undefined;
}

/** The contract did not accept the message, or there is no contract. */
const NOT_ACCEPTED: ExternalOutcome = { accepted: false, gasUsed: 0n, actions: undefined };
const SPECIAL_ACCOUNTS = 31;
/** Not zeros, which the emulator would replace by a random seed. */
const RAND_SEED = Buffer.alloc(32, 1);

/**
 * Runs a contract on an external message. The emulator can do that only within a transaction, so the account is made up
 * such that the contract notices nothing of the transaction: its storage is paid, and the import fee is added to its
 * balance.
 */
async function runExternal(
  call: LiveCall,
  run: ExternalRun,
  libraries: LibrarySource,
): Promise<ExternalOutcome> {
  const { config, prevBlocks, utime, ignoreSignature, message } = run;
  const shardAccount = shardAccountOf(run).toBoc({ idx: false, crc32: false });
  // The work of wallets is known; any other contract may use all the gas that its account can buy.
  const isLight = walletCodeOf(run.code.cells.hash(run.code.cell, 0)) !== undefined;
  const { outcome } = await runWithLibraries(
    call.ports.vm,
    {
      shardAccount,
      message,
      config,
      prevBlocks,
      utime,
      lt: 0n,
      randSeed: RAND_SEED,
      ...(ignoreSignature !== undefined && { ignoreSignature }),
    },
    libraries,
    () => ({ ...runLimitsOf(call), isLight }),
  );
  if (outcome.kind === 'not_accepted') return NOT_ACCEPTED;
  if (outcome.kind === 'refused') throw internalFailure(outcome.text);
  const bag = readBoc(outcome.transaction);
  const { description } = readTransaction(bag, bag.root, run.account.workchain);
  if (description.kind !== 'ord' || description.compute.skipped)
    throw internalFailure('the code was not run');
  const { gasUsed, success } = description.compute;
  const actions = success && outcome.actions ? readBoc(outcome.actions) : undefined;
  return {
    accepted: true,
    gasUsed: BigInt(gasUsed),
    actions: actions && { cells: actions, cell: actions.root },
  };
}

/** The emulator aborts if an account uses fewer than no bits after the run: its balance becomes up to 15 bytes shorter. */
const USED_BITS = 15 * 8;

function shardAccountOf(run: ExternalRun): Cell {
  const { account, utime, balance, importFee } = run;
  const [extra, code, data] = [run.extraCurrencies, run.code, run.data].map(
    (part) => part && toCoreCell(part.cells, part.cell),
  );
  const builder = beginCell().storeBit(1);
  builder.storeUint(0b100, 3).storeInt(account.workchain, 8).storeBuffer(account.hash);
  // Storage: something used, no extra, paid until now, nothing due.
  builder.storeVarUint(1, 3).storeVarUint(USED_BITS, 3).storeUint(0, 3).storeUint(utime, 32).storeBit(0);
  builder.storeUint(0, 64);
  builder.storeCoins(balance + importFee).storeMaybeRef(extra);
  // Active, neither a prefix nor special; no libraries.
  builder.storeUint(0b1_00, 3).storeMaybeRef(code).storeMaybeRef(data).storeBit(0);
  return beginCell().storeRef(builder.endCell()).storeUint(0, 256).storeUint(0, 64).endCell();
}

const SEND_MESSAGE = 0x0ec3c86d;
const SET_CODE = 0xad4de08e;
const RESERVE = 0x36e6b809;
const CHANGE_LIBRARY = 0x26fa1dd4;
const MAX_ACTIONS = 20;
/** Bits of the send mode that tonlib does not know; two others exclude each other. */
const UNKNOWN_MODES = 0x0c;
const EXCLUSIVE_MODES = 0xc0;

/**
 * The fees for forwarding the messages that a list of actions sends. Limits and error texts are those of tonlib, which
 * clients know, not those of the chain.
 */
export function actionFees(
  { cells, cell }: CellRef,
  fromMasterchain: boolean,
  { forward, masterchainForward }: FeePrices,
): bigint {
  let total = 0n;
  for (const action of listActions(cells, cell)) {
    const slice = new Slice(cells, action);
    slice.ref();
    const tag = slice.bitsLeft < 32 ? undefined : slice.uint(32);
    if (tag === SET_CODE) throw internalFailure('estimate_fee: action_set_code unsupported');
    if (tag === SEND_MESSAGE) {
      const message = readSentMessage(slice);
      const isMasterchain = fromMasterchain || goesToMasterchain(message);
      total += forwardFee(sizeOfMessage(message), isMasterchain ? masterchainForward : forward);
    } else if (tag !== RESERVE && tag !== CHANGE_LIBRARY)
      throw internalFailure('action list invalid: invalid tag');
  }
  return total;
}

/** The cells of the actions, first one first; in the chain each refers to the one before it. */
function listActions(cells: Cells, last: number): number[] {
  const actions: number[] = [];
  for (let cell = last; cells.bits[cell]! > 0 || cells.refCount(cell) > 0; cell = cells.ref(cell, 0)) {
    if (cells.refCount(cell) === 0)
      throw internalFailure('action list invalid: entry found with data but no next reference');
    actions.push(cell);
    if (actions.length > MAX_ACTIONS)
      throw internalFailure(`action list too long: more than ${MAX_ACTIONS} actions`);
  }
  return actions.reverse();
}

function readSentMessage(slice: Slice): Message {
  try {
    const mode = slice.uint(8);
    const cell = slice.ref();
    slice.end();
    const message = readMessage(slice.cells, cell);
    const isKnownMode = (mode & UNKNOWN_MODES) === 0 && (mode & EXCLUSIVE_MODES) !== EXCLUSIVE_MODES;
    if (isKnownMode && message.info.kind !== 'external-in') return message;
  } catch (error) {
    if (!(error instanceof CellError)) throw error;
  }
  throw internalFailure("estimate_fee: can't parse send_msg");
}

function goesToMasterchain({ info }: Message): boolean {
  if (info.kind !== 'internal') return false;
  const { dest } = info;
  if (dest.kind === 'none' || dest.kind === 'extern')
    throw internalFailure('estimate_fee: messages with external addresses are unsupported');
  return dest.kind === 'std' && dest.workchain === MASTERCHAIN;
}

/** Init and body count, except for the parts of them in the root cell. */
function sizeOfMessage({ cells, init, body }: Message) {
  const refs = [init?.part, body].flatMap((part) => (part === undefined ? [] : cellsOf(cells, part)));
  return countCells(cells, refs);
}

function cellsOf(cells: Cells, { cell, whole, refAt, refEnd }: MessagePart): number[] {
  if (whole) return [cell];
  return Array.from({ length: refEnd - refAt }, (_, i) => cells.ref(cell, refAt + i));
}

/** A failure within an estimate, in the wording of tonlib: it has no space after INTERNAL. */
function internalFailure(detail: string): Failure {
  return new Failure('lite_server', `INTERNAL${detail}`);
}
