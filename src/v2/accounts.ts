import Type from 'typebox';
import { formatFriendly, hasFriendlyForm, type ParsedAddress } from '../chain/address.ts';
import { CellBuilder } from '../chain/boc/builder.ts';
import { readWallet, walletCodeOf } from '../chain/contracts/wallets.ts';
import { BuildingArena } from '../chain/state/building-arena.ts';
import type { ProvenAccount } from '../lite/methods/accounts.ts';
import { type AccountAt, readAccountAt, readAccountSuspension } from '../live/accounts.ts';
import type { CodeTextCache } from '../live/caches.ts';
import type { LiveCall } from '../live/session.ts';
import {
  type AccountContent,
  AccountStatus,
  accountContent,
  accountStatus,
  RecognisedState,
  recognisedState,
} from './account-states.ts';
import { defineV2Operation } from './operation.ts';
import { address, masterchainSeqno } from './parameters.ts';
import {
  AccountAddress,
  AmountText,
  accountAddress,
  BlockIdExt,
  BocText,
  blockIdExt,
  ExtraCurrencies,
  extraCurrencies,
  MaybeHash256,
  maybeBoc,
  maybeHash,
  TonlibObject,
  TransactionId,
  TvmCell,
  transactionId,
  tvmCell,
} from './shapes.ts';

const accountSummaryMembers = {
  balance: AmountText(),
  extra_currencies: ExtraCurrencies,
  last_transaction_id: TransactionId,
  block_id: BlockIdExt,
  sync_utime: Type.Integer(),
};

function accountSummary({ block, proven }: AccountAt, content: AccountContent) {
  return {
    balance: String(content.balance),
    extra_currencies: extraCurrencies(content.extraCurrencies),
    last_transaction_id: transactionId(proven.lastTransLt, proven.lastTransHash),
    block_id: blockIdExt(block),
    sync_utime: proven.genUtime,
  };
}

/** `raw.fullAccountState`: an account with its code and data. */
const FullAccountState = TonlibObject('raw.fullAccountState', 'AddressInformation', {
  ...accountSummaryMembers,
  code: BocText(),
  data: BocText(),
  frozen_hash: MaybeHash256(),
  state: AccountStatus,
  suspended: Type.Boolean(),
});

function fullAccountState(at: AccountAt, suspended: boolean, codeTexts: CodeTextCache) {
  const content = accountContent(at.proven);
  return {
    '@type': 'raw.fullAccountState' as const,
    ...accountSummary(at, content),
    code: content.code === undefined ? '' : codeTexts.textOf(content.code),
    data: maybeBoc(content.data),
    frozen_hash: maybeHash(content.frozenHash),
    state: accountStatus(content),
    suspended,
  };
}

export const getAddressInformation = defineV2Operation({
  name: 'getAddressInformation',
  tag: 'accounts',
  summary: 'Get balance, code and data of an account',
  description:
    'An account that does not exist is returned as an uninitialized one with balance 0. `suspended` tells whether the ' +
    'newest config keeps the account from being deployed.',
  parameters: { address: address(), seqno: masterchainSeqno() },
  result: FullAccountState,
  // Not immutable for an old block either: `suspended` depends on the newest config.
  cache: 'head',
  handler: async ({ address, seqno }, call) => {
    const at = await readAccountSuspension(call, address, seqno);
    return fullAccountState(at, at.suspended, call.ports.caches.codeTexts);
  },
});

/** Reads the account of a request; its state at a given block never changes. */
async function readRequested(
  { address, seqno }: { readonly address: ParsedAddress; readonly seqno: number | undefined },
  call: LiveCall,
): Promise<AccountAt> {
  const at = await readAccountAt(call, address, seqno);
  call.immutable = seqno !== undefined;
  return at;
}

/** `fullAccountState`: an account with the decoded state of a known contract. */
const ExtendedAccountState = TonlibObject('fullAccountState', 'ExtendedAddressInformation', {
  address: AccountAddress,
  ...accountSummaryMembers,
  account_state: RecognisedState,
  revision: Type.Integer(),
});

/** Writes `fullAccountState`; the address keeps the flags of the request. */
function extendedAccountState(address: ParsedAddress, at: AccountAt) {
  const content = accountContent(at.proven);
  return {
    '@type': 'fullAccountState' as const,
    address: accountAddress(hasFriendlyForm(address.workchain) ? formatFriendly(address, address) : ''),
    ...accountSummary(at, content),
    ...recognisedState(content, at.proven.genUtime),
  };
}

export const getExtendedAddressInformation = defineV2Operation({
  name: 'getExtendedAddressInformation',
  tag: 'accounts',
  summary: 'Get an account with its decoded state',
  description:
    'The contract is recognised by its code: wallets v3 and v4, highload wallets, restricted wallets, manual DNS and old ' +
    'payment channels are decoded; every other account is returned with its code and data.',
  parameters: { address: address(), seqno: masterchainSeqno() },
  result: ExtendedAccountState,
  cache: 'immutable',
  handler: async (params, call) => extendedAccountState(params.address, await readRequested(params, call)),
});

/** `ext.accounts.walletInformation`; the optional members are those of wallets only. */
const WalletInformation = TonlibObject('ext.accounts.walletInformation', 'WalletInformation', {
  wallet: Type.Boolean(),
  balance: AmountText(),
  account_state: AccountStatus,
  last_transaction_id: TransactionId,
  wallet_type: Type.Optional(Type.String()),
  seqno: Type.Optional(Type.Integer()),
  wallet_id: Type.Optional(Type.Integer()),
  is_signature_allowed: Type.Optional(Type.Boolean()),
});

function walletInformation({ proven }: AccountAt) {
  const content = accountContent(proven);
  const wallet = walletMembers(content);
  return {
    '@type': 'ext.accounts.walletInformation' as const,
    wallet: wallet !== undefined,
    balance: String(content.balance),
    account_state: accountStatus(content),
    last_transaction_id: transactionId(proven.lastTransLt, proven.lastTransHash),
    ...wallet,
  };
}

/** Undefined for everything but plain wallets: highload wallets, other contracts, data of another layout. */
function walletMembers({ code, data }: AccountContent) {
  if (code === undefined || data === undefined) return undefined;
  const { type, layout } = walletCodeOf(code.cells.hash(code.cell, 0)) ?? {};
  const wallet = type && layout && readWallet(layout, data.cells, data.cell);
  if (wallet === undefined) return undefined;
  const { seqno, walletId, signatureAllowed } = wallet;
  return {
    wallet_type: type,
    ...(seqno !== undefined && { seqno }),
    // By contract a signed number here, unlike everywhere else.
    ...(walletId !== undefined && { wallet_id: walletId | 0 }),
    ...(signatureAllowed !== undefined && { is_signature_allowed: signatureAllowed }),
  };
}

export const getWalletInformation = defineV2Operation({
  name: 'getWalletInformation',
  tag: 'accounts',
  summary: 'Get type, seqno and id of a wallet',
  description:
    'Knows wallets v1 to v5. Any other account (a contract, frozen or missing) has `wallet: false` and none of the ' +
    'wallet members.',
  parameters: { address: address(), seqno: masterchainSeqno() },
  result: WalletInformation,
  cache: 'immutable',
  handler: async (params, call) => walletInformation(await readRequested(params, call)),
});

export const getAddressBalance = defineV2Operation({
  name: 'getAddressBalance',
  tag: 'accounts',
  summary: 'Get the balance of an account',
  description: 'In nanotons. An account that does not exist has balance 0.',
  parameters: { address: address(), seqno: masterchainSeqno() },
  result: AmountText(),
  cache: 'immutable',
  handler: async (params, call) => {
    const { proven } = await readRequested(params, call);
    return String(accountContent(proven).balance);
  },
});

export const getAddressState = defineV2Operation({
  name: 'getAddressState',
  tag: 'accounts',
  summary: 'Get the status of an account',
  description: 'An account that does not exist, or that has no code, is `uninitialized`.',
  parameters: { address: address(), seqno: masterchainSeqno() },
  result: AccountStatus,
  cache: 'immutable',
  handler: async (params, call) => {
    const { proven } = await readRequested(params, call);
    return accountStatus(accountContent(proven));
  },
});

/** Writes a ShardAccount as `tvm.cell`: the account, then hash and logical time of its last transaction. */
function shardAccountCell({ account, lastTransHash, lastTransLt }: ProvenAccount) {
  const cells = new BuildingArena();
  const cell =
    account === undefined
      ? cells.build(new CellBuilder().boolean(false))
      : cells.add(account.cells, account.cell);
  return tvmCell(cells, cells.build(new CellBuilder().ref(cell).hash(lastTransHash).uint64(lastTransLt)));
}

export const getShardAccountCell = defineV2Operation({
  name: 'getShardAccountCell',
  tag: 'accounts',
  summary: 'Get an account as a cell',
  description: 'A ShardAccount: the account itself, and hash and logical time of its last transaction.',
  parameters: { address: address(), seqno: masterchainSeqno() },
  result: TvmCell,
  cache: 'immutable',
  handler: async (params, call) => {
    const { proven } = await readRequested(params, call);
    return shardAccountCell(proven);
  },
});
