import { Address, Cell } from '@ton/core';
import type { Json } from './recorded-files.ts';

/**
 * Conversions of tonlib results to the form of the contract. tonlib prints 64-bit numbers as strings and has neither
 * names of account states nor raw addresses.
 */

/** In tonlib, the balance of a missing account is -1. */
function balance(given: string): string {
  return given === '-1' ? '0' : given;
}

export function accountAsContract(account: Json): Json {
  const state = account.code !== '' ? 'active' : account.frozen_hash !== '' ? 'frozen' : 'uninitialized';
  return { ...account, balance: balance(account.balance), state, suspended: false };
}

export function extendedAccountAsContract(account: Json): Json {
  const { wallet_id } = account.account_state;
  return {
    ...account,
    balance: balance(account.balance),
    account_state: {
      ...account.account_state,
      ...(wallet_id !== undefined && { wallet_id: Number(wallet_id) }),
    },
  };
}

/** Operations always decode comments; some recorded calls did not. */
export function transactionsDecoded(result: Json): Json {
  return { ...result, transactions: result.transactions.map(withDecodedMessages) };
}

export function blockTransactionsAsContract(result: Json): Json {
  return {
    ...result,
    transactions: result.transactions.map((transaction: Json) => ({
      ...transaction,
      mode: 135,
      account: `${result.id.workchain}:${Buffer.from(transaction.account, 'base64').toString('hex')}`,
    })),
  };
}

export function blockTransactionsExtAsContract(result: Json): Json {
  return {
    ...result,
    transactions: result.transactions.map((transaction: Json) => ({
      ...transaction,
      '@type': 'raw.transactionExt',
      account: rawUpper(transaction.address.account_address),
    })),
  };
}

export function rawUpper(friendly: string): string {
  const { workChain, hash } = Address.parse(friendly);
  return `${workChain}:${hash.toString('hex').toUpperCase()}`;
}

function withDecodedMessages(transaction: Json): Json {
  return {
    ...transaction,
    ...(transaction.in_msg !== undefined && { in_msg: decoded(transaction.in_msg) }),
    out_msgs: transaction.out_msgs.map(decoded),
  };
}

const COMMENT = 0;
const ENCRYPTED_COMMENT = 0x2167da4b;

function decoded(message: Json): Json {
  if (message.msg_data['@type'] !== 'msg.dataRaw') return message;
  const body = Cell.fromBase64(message.msg_data.body).beginParse();
  if (body.remainingBits < 32) return message;
  const op = body.loadUint(32);
  if (op !== COMMENT && op !== ENCRYPTED_COMMENT) return message;
  const bytes: Buffer[] = [];
  for (let rest = body; ; rest = rest.loadRef().beginParse()) {
    if (rest.remainingBits % 8 !== 0) return message;
    bytes.push(rest.loadBuffer(rest.remainingBits / 8));
    if (rest.remainingRefs === 0) break;
  }
  const kind = op === COMMENT ? 'msg.dataText' : 'msg.dataEncryptedText';
  return { ...message, msg_data: { '@type': kind, text: Buffer.concat(bytes).toString('base64') } };
}

/** The contract prints the hash of a storage record in hex. tonlib returns the name as given if it finds the root itself. */
export function dnsAsContract(result: Json): Json {
  return {
    ...result,
    entries: result.entries.map(({ name, entry, ...rest }: Json) => ({
      ...rest,
      name: name.endsWith('.') ? name : `${name}.`,
      entry:
        entry['@type'] === 'dns.entryDataStorageAddress'
          ? { ...entry, bag_id: Buffer.from(entry.bag_id, 'base64').toString('hex') }
          : entry,
    })),
  };
}

/** The classic form of a typed get-method result: numbers in hex, cells and slices with their cell object. */
export function classicResult(result: Json): Json {
  return { ...result, stack: result.stack.map(classicEntry) };
}

function classicEntry(entry: Json): Json {
  switch (entry['@type']) {
    case 'tvm.stackEntryNumber':
      return ['num', hex(BigInt(entry.number.number))];
    case 'tvm.stackEntryCell':
      return ['cell', cellWithObject(entry.cell.bytes)];
    case 'tvm.stackEntrySlice':
      return ['cell', cellWithObject(entry.slice.bytes)];
    case 'tvm.stackEntryTuple':
      return ['tuple', entry.tuple];
    case 'tvm.stackEntryList':
      return ['list', entry.list];
    default:
      return ['unsupported', ''];
  }
}

function hex(value: bigint): string {
  return value < 0n ? `-0x${(-value).toString(16)}` : `0x${value.toString(16)}`;
}

/** A cell in a classic stack. */
export function cellWithObject(bytes: string): Json {
  return { bytes, object: cellObject(Cell.fromBase64(bytes)) };
}

function cellObject(cell: Cell): Json {
  return {
    data: { b64: dataWithCompletion(cell).toString('base64'), len: cell.bits.length },
    refs: cell.refs.map(cellObject),
    special: cell.isExotic,
  };
}

/** The data bytes, with a completion bit if the last byte is not full. */
function dataWithCompletion({ bits }: Cell): Buffer {
  const text = [...Array(bits.length).keys()].map((i) => (bits.at(i) ? '1' : '0')).join('');
  const padded = text.length % 8 === 0 ? text : `${text}1`.padEnd(Math.ceil(text.length / 8) * 8, '0');
  return Buffer.from((padded.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
