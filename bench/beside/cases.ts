import { query, type Values } from '../v3/cases.ts';
import type { Keys } from './sample-keys.ts';

/** A query with many keys. */
export interface BesideCase {
  readonly name: string;
  /** How many different paths there are. */
  readonly keys: number;
  /** The path of a request, counted from 0; from the number of keys on they come again. */
  readonly pathOf: (at: number) => string;
}

const MANY = 20;
/** Pages of the newest rows, so that no two requests are the same. */
const NEWEST = 500;

export function createV3Cases(keys: Keys): readonly BesideCase[] {
  const of = caseMaker('v3');
  const newest = Array.from({ length: NEWEST }, (_, offset) => offset);
  const groups = Array.from({ length: Math.floor(keys.accounts.length / MANY) }, (_, at) =>
    keys.accounts.slice(at * MANY, (at + 1) * MANY),
  );
  return [
    of('masterchainInfo', 'masterchainInfo', [{}], (key) => key),
    of('blocks by seqno', 'blocks', keys.blocks, ({ workchain, shard, seqno }) => ({
      workchain,
      shard,
      seqno,
    })),
    of('blocks of a masterchain seqno', 'blocks', keys.seqnos, (mc_seqno) => ({ mc_seqno, limit: 100 })),
    of('transactions by hash', 'transactions', keys.transactions, (hash) => ({ hash })),
    of('transactions by message', 'transactionsByMessage', keys.messages, (msg_hash) => ({ msg_hash })),
    of('transactions of an account, 20', 'transactions', keys.accounts, (account) => ({
      account,
      limit: 20,
    })),
    of('transactions of an account, 100', 'transactions', keys.accounts, (account) => ({
      account,
      limit: 100,
    })),
    of('transactions of a seqno', 'transactions', keys.seqnos, (mc_seqno) => ({ mc_seqno, limit: 100 })),
    of('transactions, newest 20', 'transactions', newest, (offset) => ({ limit: 20, offset })),
    of('adjacent transactions', 'adjacentTransactions', keys.senders, (hash) => ({ hash })),
    of('messages by hash', 'messages', keys.messages, (msg_hash) => ({ msg_hash })),
    of('messages to an account, 20', 'messages', keys.destinations, (destination) => ({
      destination,
      limit: 20,
    })),
    of('messages from an account, 20', 'messages', keys.sources, (source) => ({ source, limit: 20 })),
    of('traces by id', 'traces', keys.traces, (trace_id) => ({ trace_id })),
    of('traces of an account, 10', 'traces', keys.accounts, (account) => ({ account, limit: 10 })),
    of('traces, newest 10', 'traces', newest, (offset) => ({ limit: 10, offset })),
    of('actions of a trace', 'actions', keys.traces, (trace_id) => ({ trace_id })),
    of('actions of an account, 20', 'actions', keys.accounts, (account) => ({ account, limit: 20 })),
    of('actions, newest 20', 'actions', newest, (offset) => ({ limit: 20, offset })),
    of('accountStates of 1', 'accountStates', keys.accounts, (address) => ({ address })),
    of(`accountStates of ${MANY}`, 'accountStates', groups, (address) => ({ address })),
    of(`walletStates of ${MANY}`, 'walletStates', groups, (address) => ({ address })),
    of(`addressBook of ${MANY}`, 'addressBook', groups, (address) => ({ address })),
    of('jetton/masters, 20', 'jetton/masters', newest, (offset) => ({ limit: 20, offset })),
    of('jetton/wallets of an owner', 'jetton/wallets', keys.jettonOwners, (owner_address) => ({
      owner_address,
    })),
    of('jetton/transfers of an owner, 20', 'jetton/transfers', keys.jettonOwners, (owner_address) => ({
      owner_address,
      limit: 20,
    })),
    of('nft/items of an owner', 'nft/items', keys.itemOwners, (owner_address) => ({
      owner_address,
      limit: 20,
    })),
    of('topAccountsByBalance, 100', 'topAccountsByBalance', newest, (offset) => ({ limit: 100, offset })),
  ].filter(({ keys: count }) => count > 0);
}

export function createV2Cases(keys: Keys): readonly BesideCase[] {
  const of = caseMaker('v2');
  return [
    of('getMasterchainInfo', 'getMasterchainInfo', [{}], (key) => key),
    of('getAddressInformation', 'getAddressInformation', keys.accounts, (address) => ({ address })),
    of('getWalletInformation', 'getWalletInformation', keys.accounts, (address) => ({ address })),
    of('getTransactions, newest 10', 'getTransactions', keys.accounts, (address) => ({ address, limit: 10 })),
    of('getTransactions from a position', 'getTransactions', keys.positions, ({ account, lt, hash }) => ({
      address: account,
      lt,
      hash,
      limit: 10,
    })),
    of('getBlockTransactions', 'getBlockTransactions', keys.blocks, ({ workchain, shard, seqno }) => ({
      workchain,
      shard: signedShard(shard),
      seqno,
    })),
    of('shards', 'shards', keys.seqnos, (seqno) => ({ seqno })),
    of('lookupBlock', 'lookupBlock', keys.blocks, ({ workchain, shard, seqno }) => ({
      workchain,
      shard: signedShard(shard),
      seqno,
    })),
  ].filter(({ keys: count }) => count > 0);
}

function caseMaker(name: 'v2' | 'v3') {
  return <K>(
    title: string,
    operation: string,
    keys: readonly K[],
    valuesOf: (key: K) => Values,
  ): BesideCase => ({
    name: `${name}: ${title}`,
    keys: keys.length,
    pathOf: (at) => `/api/${name}/${operation}?${query(valuesOf(keys[at % keys.length]!))}`,
  });
}

/** v2 writes shards as signed decimal numbers. */
function signedShard(hex: string): string {
  return String(BigInt.asIntN(64, BigInt(`0x${hex}`)));
}
