import {
  Address,
  beginCell,
  Cell,
  type CommonMessageInfo,
  type CurrencyCollection as CoreAmount,
  type TransactionDescription as CoreDescription,
  type Message as CoreMessage,
  type Transaction as CoreTransaction,
  Dictionary,
  loadTransaction,
  storeStateInit,
  type TransactionComputePhase,
} from '@ton/core';
import { expect } from 'vitest';
import type { CellBag } from '../../../src/chain/boc/bag.ts';
import type { Cells } from '../../../src/chain/boc/cells.ts';
import { useNativeSha256 } from '../../../src/chain/boc/ton-core.ts';
import { type CurrencyCollection, readExtraCurrencies } from '../../../src/chain/tlb/currency.ts';
import type { Message } from '../../../src/chain/tlb/message.ts';
import type { MsgAddress } from '../../../src/chain/tlb/msg-address.ts';
import type { Transaction, TransactionDescription } from '../../../src/chain/tlb/transaction.ts';
import type {
  ActionPhase,
  BouncePhase,
  ComputePhase,
  CreditPhase,
  SplitMergeInfo,
} from '../../../src/chain/tlb/transaction-phases.ts';

/** Compares a block's hash and every field of its transactions with what @ton/core reads from the same bytes. */
export function expectAsCore(bag: CellBag, transactions: readonly Transaction[], block: Buffer): void {
  useNativeSha256();
  const root = Cell.fromBoc(block)[0]!;
  expect(bag.hash(bag.root)).toEqual(root.hash());
  const found = new Map<string, Cell>();
  collect(root.refs[3]!.refs[2]!, found);
  for (const ours of transactions) {
    const cell = found.get(ours.hash.toString('hex'));
    if (cell === undefined) throw new Error('no such transaction');
    const theirs = loadTransaction(cell.beginParse());
    expect(plainTransaction(ours)).toEqual(plainCoreTransaction(theirs, cell));
    expect(descriptionAsCore(ours.cells, ours.description)).toEqual(comparable(theirs.description));
  }
  expect(transactions.length).toBe(found.size);
}

/** All transactions below a cell of dictionaries: cells of their form that are not inside another one. */
function collect(cell: Cell, found: Map<string, Cell>): void {
  const isTransaction =
    cell.bits.length > 650 && cell.refs.length >= 3 && cell.beginParse().loadUint(4) === 7;
  if (isTransaction) found.set(cell.hash().toString('hex'), cell);
  else for (const child of cell.refs) collect(child, found);
}

const hex = (hash: Buffer | bigint | undefined): string | undefined =>
  typeof hash === 'bigint' ? hash.toString(16).padStart(64, '0') : hash?.toString('hex');

/** Our message in words that do not depend on who read it. */
export function plainMessage({ cells, hash, bodyHash, opcode, info, init }: Message) {
  const { src, dest } = info;
  return {
    hash: hex(hash),
    bodyHash: hex(bodyHash),
    opcode,
    init: init && {
      hash: hex(init.hash),
      splitDepth: init.state?.fixedPrefixLength,
      special: init.state?.special,
      code: cellHash(cells, init.state!.code),
      data: cellHash(cells, init.state!.data),
    },
    ...info,
    ...('value' in info ? { value: plainAmount(cells, info.value) } : {}),
    src: plainAddress(src),
    dest: plainAddress(dest),
  };
}

/** The same words for a message of @ton/core, whose cell is needed too. */
export function plainCoreMessage(message: CoreMessage, cell: Cell): ReturnType<typeof plainMessage> {
  const { info, init, body } = message;
  const initCell = init && beginCell().store(storeStateInit(init)).endCell();
  return {
    hash: hex(cell.hash()),
    bodyHash: hex(body.hash()),
    opcode: body.isExotic || body.bits.length < 32 ? undefined : body.beginParse().loadUint(32),
    init: initCell
      ? {
          hash: hex(initCell.hash()),
          splitDepth: init?.splitDepth ?? undefined,
          special: init?.special ?? undefined,
          code: hex(init?.code?.hash()),
          data: hex(init?.data?.hash()),
        }
      : undefined,
    ...plainCoreInfo(info),
  } as ReturnType<typeof plainMessage>;
}

function plainCoreInfo(info: CommonMessageInfo) {
  const src = info.src?.toString() ?? 'none';
  const dest = info.dest?.toString() ?? 'none';
  if (info.type !== 'internal') {
    const { type: kind, ...rest } = info;
    return { kind, ...rest, src, dest };
  }
  const { type: kind, value, ihrFee: extraFlags, forwardFee: fwdFee, ...rest } = info;
  return { kind, ...rest, src, dest, value: plainCoreAmount(value), extraFlags, fwdFee };
}

/** Our transaction in words that do not depend on who read it; its description is compared by itself. */
export function plainTransaction(transaction: Transaction) {
  const { cells, account, inMessage, outMessages, totalFees } = transaction;
  return {
    hash: hex(transaction.hash),
    account: hex(account.hash),
    lt: transaction.lt,
    prevTransHash: hex(transaction.prevTransHash),
    prevTransLt: transaction.prevTransLt,
    now: transaction.now,
    status: [transaction.origStatus, transaction.endStatus],
    totalFees: plainAmount(cells, totalFees),
    oldStateHash: hex(transaction.oldStateHash),
    newStateHash: hex(transaction.newStateHash),
    inMessage: inMessage && plainMessage(inMessage),
    outMessages: outMessages.map(plainMessage),
  };
}

/** The same words for a transaction of @ton/core, read from `cell`. */
export function plainCoreTransaction(
  transaction: CoreTransaction,
  cell: Cell,
): ReturnType<typeof plainTransaction> {
  const messages = cell.refs[0]!.beginParse();
  const inMessage = messages.loadMaybeRef();
  const outMessages = messages.loadDict(Dictionary.Keys.Uint(15), Dictionary.Values.Cell());
  return {
    hash: hex(cell.hash()),
    account: hex(transaction.address),
    lt: transaction.lt,
    prevTransHash: hex(transaction.prevTransactionHash),
    prevTransLt: transaction.prevTransactionLt,
    now: transaction.now,
    status: [STATUSES[transaction.oldStatus], STATUSES[transaction.endStatus]],
    totalFees: plainCoreAmount(transaction.totalFees),
    oldStateHash: hex(transaction.stateUpdate.oldHash),
    newStateHash: hex(transaction.stateUpdate.newHash),
    inMessage:
      inMessage && transaction.inMessage ? plainCoreMessage(transaction.inMessage, inMessage) : undefined,
    outMessages: transaction.outMessages
      .values()
      .map((message, i) => plainCoreMessage(message, outMessages.get(i)!)),
  };
}

const STATUSES = {
  uninitialized: 'uninit',
  'non-existing': 'nonexist',
  active: 'active',
  frozen: 'frozen',
} as const;

function plainAddress(address: MsgAddress): string {
  switch (address.kind) {
    case 'none':
      return 'none';
    case 'extern': {
      const padding = address.value.length * 8 - address.bits;
      return `External<${address.bits}:${BigInt(`0x0${hex(address.value)}`) >> BigInt(padding)}>`;
    }
    case 'var':
      throw new Error('@ton/core cannot read an addr_var');
    case 'std':
      return new Address(address.workchain, address.hash).toString();
  }
}

function plainAmount(cells: Cells, amount: CurrencyCollection): string[] {
  const extra = readExtraCurrencies(cells, amount).map(({ id, amount: n }) => `${id}:${n}`);
  return [`${amount.grams}`, ...extra];
}

function plainCoreAmount({ coins, other }: CoreAmount): string[] {
  return [`${coins}`, ...[...(other ?? [])].map(([id, n]) => `${id}:${n}`)];
}

function cellHash(cells: Cells, cell: number): string | undefined {
  return cell < 0 ? undefined : hex(cells.hash(cell));
}

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
