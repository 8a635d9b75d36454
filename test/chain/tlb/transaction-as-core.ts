import {
  Address,
  beginCell,
  type Cell,
  type CommonMessageInfo,
  type CurrencyCollection as CoreAmount,
  type Message as CoreMessage,
  type Transaction as CoreTransaction,
  Dictionary,
  storeStateInit,
} from '@ton/core';
import type { Cells } from '../../../src/chain/boc/cells.ts';
import { type CurrencyCollection, readExtraCurrencies } from '../../../src/chain/tlb/currency.ts';
import type { Message } from '../../../src/chain/tlb/message.ts';
import type { MsgAddress } from '../../../src/chain/tlb/msg-address.ts';
import type { Transaction } from '../../../src/chain/tlb/transaction.ts';

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
