import { hashOf } from './filled-index.ts';

/** An account of a test, by name. */
export const account = (name: string): Buffer => Buffer.concat([Buffer.of(0), hashOf(name)]);

const STATE = { last_transaction_lt: 1, code_hash: hashOf('code'), data_hash: hashOf('data') };

/** A latest state, active and without code by default. */
export const stateRow = (name: string, codeHash: Buffer | null = null) => ({
  account: account(name),
  hash: hashOf(`state of ${name}`),
  status: 'active' as const,
  balance: 0,
  balance_extra: null,
  code_hash: codeHash,
  data_hash: null,
  frozen_hash: null,
  last_trans_lt: 1,
  last_trans_hash: hashOf('transaction'),
  timestamp: 1,
  mc_seqno: 1,
});

/** A domain with an owner and a wallet that it resolves to; both may be null. */
export const domainRow = (domain: string, owner: string | null, wallet: string | null) => ({
  ...STATE,
  account: account(domain),
  domain,
  owner: owner === null ? null : account(owner),
  wallet: wallet === null ? null : account(wallet),
});

export const masterRow = (name: string) => ({
  ...STATE,
  account: account(name),
  total_supply: 100,
  mintable: true,
  content: {},
  wallet_code_hash: hashOf('wallet code'),
});

export const walletRow = (name: string, jetton: string, balance = '5') => ({
  ...STATE,
  account: account(name),
  owner: account(`owner of ${name}`),
  jetton: account(jetton),
  balance,
});

export const collectionRow = (name: string) => ({
  ...STATE,
  account: account(name),
  next_item_index: 3,
  content: {},
});

export const itemRow = (name: string, index: string) => ({
  ...STATE,
  account: account(name),
  init: true,
  index,
  content: {},
});
