import { Address, Cell } from '@ton/core';
import type { Json } from './recorded-files.ts';

/**
 * How the contract names what tonlib says. tonlib prints 64-bit numbers as strings and knows neither the name of an
 * account's state nor raw addresses; the contract adds them.
 */

/** An account that does not exist has the balance -1 in tonlib. */
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

/** Operations ask tonlib to decode comments; some recorded questions did not. */
export function transactionsDecoded(answer: Json): Json {
  return { ...answer, transactions: answer.transactions.map(withDecodedMessages) };
}

export function blockTransactionsAsContract(answer: Json): Json {
  return {
    ...answer,
    transactions: answer.transactions.map((transaction: Json) => ({
      ...transaction,
      mode: 135,
      account: `${answer.id.workchain}:${Buffer.from(transaction.account, 'base64').toString('hex')}`,
    })),
  };
}

export function blockTransactionsExtAsContract(answer: Json): Json {
  return {
    ...answer,
    transactions: answer.transactions.map((transaction: Json) => ({
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

/** The contract prints the hash of a storage record in hex. tonlib leaves the name as given when it finds the root itself. */
export function dnsAsContract(answer: Json): Json {
  return {
    ...answer,
    entries: answer.entries.map(({ name, entry, ...rest }: Json) => ({
      ...rest,
      name: name.endsWith('.') ? name : `${name}.`,
      entry:
        entry['@type'] === 'dns.entryDataStorageAddress'
          ? { ...entry, bag_id: Buffer.from(entry.bag_id, 'base64').toString('hex') }
          : entry,
    })),
  };
}
