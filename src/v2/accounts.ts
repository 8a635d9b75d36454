import Type from 'typebox';
import { formatFriendly, hasFriendlyForm, type ParsedAddress } from '../chain/address.ts';
import { CellBuilder } from '../chain/boc/builder.ts';
import { readWallet, walletCodeOf } from '../chain/contracts/wallets.ts';
import { BuildingArena } from '../chain/state/building-arena.ts';
import { defineOperation, type OperationExample } from '../http/operation.ts';
import type { ProvenAccount } from '../lite/methods/accounts.ts';
import {
  ACCOUNT_STATUSES,
  type AccountAt,
  type AccountFacts,
  accountFacts,
  readAccountAt,
  readAccountSuspension,
} from '../live/accounts.ts';
import type { CodeTextCache } from '../live/memory.ts';
import type { LiveCall } from '../live/session.ts';
import { address, masterchainSeqno } from './chain-parameters.ts';
import { RecognisedState, recognisedState } from './contract-states.ts';
import { getAddressBalanceExamples } from './examples/get-address-balance.ts';
import { getAddressInformationExamples } from './examples/get-address-information.ts';
import { getAddressStateExamples } from './examples/get-address-state.ts';
import { getExtendedAddressInformationExamples } from './examples/get-extended-address-information.ts';
import { getShardAccountCellExamples } from './examples/get-shard-account-cell.ts';
import { getWalletInformationExamples } from './examples/get-wallet-information.ts';
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
  TransactionId,
  TvmCell,
  transactionId,
  tvmCell,
} from './shapes.ts';

/** Whether an account runs code. */
const AccountStatus = () => Type.Enum([...ACCOUNT_STATUSES]);

/** Members that all descriptions of an account have. */
const accountSummaryMembers = {
  balance: AmountText(),
  extra_currencies: ExtraCurrencies,
  last_transaction_id: TransactionId,
  block_id: BlockIdExt,
  sync_utime: Type.Integer(),
};

/** Writes the members that all descriptions of an account have. */
function accountSummary({ block, proven }: AccountAt, facts: AccountFacts) {
  return {
    balance: String(facts.balance),
    extra_currencies: extraCurrencies(facts.extraCurrencies),
    last_transaction_id: transactionId(proven.lastTransLt, proven.lastTransHash),
    block_id: blockIdExt(block),
    sync_utime: proven.genUtime,
  };
}

/** `raw.fullAccountState`: an account as it is, whatever its code. */
const FullAccountState = Type.Object({
  '@type': Type.Literal('raw.fullAccountState'),
  ...accountSummaryMembers,
  code: BocText(),
  data: BocText(),
  frozen_hash: MaybeHash256(),
  state: AccountStatus(),
  suspended: Type.Boolean(),
});

/** Writes `raw.fullAccountState`. */
function fullAccountState(at: AccountAt, suspended: boolean, codeTexts: CodeTextCache) {
  const facts = accountFacts(at.proven);
  return {
    '@type': 'raw.fullAccountState' as const,
    ...accountSummary(at, facts),
    code: facts.code === undefined ? '' : codeTexts.textOf(facts.code),
    data: maybeBoc(facts.data),
    frozen_hash: maybeHash(facts.frozenHash),
    state: facts.status,
    suspended,
  };
}

const ADDRESS = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N';

/** Examples of what all operations on an account refuse. */
const accountRefusals: readonly OperationExample<never>[] = [
  {
    title: 'not an address',
    params: { address: 'abcde' },
    failure: {
      code: 422,
      text: {
        query: "failed to parse get request: Failed to parse ton_addr: 'abcde'",
        body: "failed to parse post request: Error at path 'address': Failed to parse ton_addr: 'abcde'",
      },
    },
  },
  {
    title: 'no address',
    params: {},
    failure: {
      code: 422,
      text: {
        query: "failed to parse get request: Failed to parse ton_addr: ''",
        body: "failed to parse post request: Field 'address' is missing",
      },
    },
  },
  {
    title: 'the block before the first one',
    params: { address: ADDRESS, seqno: 0 },
    failure: { code: 422, text: 'failed to validate request: seqno should be positive' },
  },
  {
    title: 'a block number that is none',
    params: { address: ADDRESS, seqno: 'newest' },
    failure: {
      code: 422,
      text: {
        query: 'failed to parse get request: failed to parse seqno',
        body: "failed to parse post request: Error at path 'seqno': failed to parse seqno",
      },
    },
  },
];

/** An account with its code and data. */
export const getAddressInformation = defineOperation({
  name: 'getAddressInformation',
  methods: ['GET', 'POST'],
  tag: 'accounts',
  summary: 'Balance, code and data of an account',
  description:
    'An account that does not exist is answered like an uninitialized one without balance. `suspended` tells whether ' +
    'the newest configuration keeps the account from being deployed.',
  parameters: { address: address(), seqno: masterchainSeqno() },
  result: FullAccountState,
  // Not immutable for an old block either: `suspended` is up to the newest configuration.
  cache: 'head',
  examples: [...getAddressInformationExamples, ...accountRefusals],
  handler: async ({ address, seqno }, call: LiveCall) => {
    const at = await readAccountSuspension(call, address, seqno);
    return fullAccountState(at, at.suspended, call.ports.memory.codeTexts);
  },
});

/** `fullAccountState`: an account with what is known of its kind. */
const ExtendedAccountState = Type.Object({
  '@type': Type.Literal('fullAccountState'),
  address: AccountAddress,
  ...accountSummaryMembers,
  account_state: RecognisedState,
  revision: Type.Integer(),
});

/** Writes `fullAccountState`; the address keeps the flags that it was given with. */
function extendedAccountState(address: ParsedAddress, at: AccountAt) {
  const facts = accountFacts(at.proven);
  return {
    '@type': 'fullAccountState' as const,
    address: accountAddress(hasFriendlyForm(address.workchain) ? formatFriendly(address, address) : ''),
    ...accountSummary(at, facts),
    ...recognisedState(facts, at.proven.genUtime),
  };
}

/** An account with what is known of its kind. */
export const getExtendedAddressInformation = defineOperation({
  name: 'getExtendedAddressInformation',
  methods: ['GET', 'POST'],
  tag: 'accounts',
  summary: 'An account with what is known of its kind',
  description:
    'The kind is told by the code: wallets v3 and v4, highload wallets, restricted wallets, manual DNS and old payment ' +
    'channels are decoded, every other account is shown with its code and data.',
  parameters: { address: address(), seqno: masterchainSeqno() },
  result: ExtendedAccountState,
  cache: 'immutable',
  examples: [...getExtendedAddressInformationExamples, ...accountRefusals],
  handler: async ({ address, seqno }, call: LiveCall) => {
    const at = await readAccountAt(call, address, seqno);
    call.immutable = seqno !== undefined;
    return extendedAccountState(address, at);
  },
});

/** `ext.accounts.walletInformation`: what a wallet's data says; the last members are those of a wallet only. */
const WalletInformation = Type.Object({
  '@type': Type.Literal('ext.accounts.walletInformation'),
  wallet: Type.Boolean(),
  balance: AmountText(),
  account_state: AccountStatus(),
  last_transaction_id: TransactionId,
  wallet_type: Type.Optional(Type.String()),
  seqno: Type.Optional(Type.Integer()),
  wallet_id: Type.Optional(Type.Integer()),
  is_signature_allowed: Type.Optional(Type.Boolean()),
});

/** Writes `ext.accounts.walletInformation`. */
function walletInformation({ proven }: AccountAt) {
  const facts = accountFacts(proven);
  const wallet = walletMembers(facts);
  return {
    '@type': 'ext.accounts.walletInformation' as const,
    wallet: wallet !== undefined,
    balance: String(facts.balance),
    account_state: facts.status,
    last_transaction_id: transactionId(proven.lastTransLt, proven.lastTransHash),
    ...wallet,
  };
}

/** Undefined for anything that is no plain wallet: highload ones, other contracts, data that does not fit. */
function walletMembers({ code, data }: AccountFacts) {
  if (code === undefined || data === undefined) return undefined;
  const { type, layout } = walletCodeOf(code.cells.hash(code.cell, 0)) ?? {};
  const wallet = type && layout && readWallet(layout, data.cells, data.cell);
  if (wallet === undefined) return undefined;
  const { seqno, walletId, signatureAllowed } = wallet;
  return {
    wallet_type: type,
    ...(seqno !== undefined && { seqno }),
    // By contract a signed number, unlike everywhere else.
    ...(walletId !== undefined && { wallet_id: walletId | 0 }),
    ...(signatureAllowed !== undefined && { is_signature_allowed: signatureAllowed }),
  };
}

/** What a wallet's data says. */
export const getWalletInformation = defineOperation({
  name: 'getWalletInformation',
  methods: ['GET', 'POST'],
  tag: 'accounts',
  summary: 'Kind, seqno and id of a wallet',
  description:
    'For wallets v1 to v5. Any other account, be it a contract, frozen or missing, is answered with `wallet: false` ' +
    'and without the members of a wallet.',
  parameters: { address: address(), seqno: masterchainSeqno() },
  result: WalletInformation,
  cache: 'immutable',
  examples: [...getWalletInformationExamples, ...accountRefusals],
  handler: async ({ address, seqno }, call: LiveCall) => {
    const at = await readAccountAt(call, address, seqno);
    call.immutable = seqno !== undefined;
    return walletInformation(at);
  },
});

/** The balance of an account. */
export const getAddressBalance = defineOperation({
  name: 'getAddressBalance',
  methods: ['GET', 'POST'],
  tag: 'accounts',
  summary: 'Balance of an account',
  description: 'In nanotons. An account that does not exist has a balance of 0.',
  parameters: { address: address(), seqno: masterchainSeqno() },
  result: AmountText(),
  cache: 'immutable',
  examples: [...getAddressBalanceExamples, ...accountRefusals],
  handler: async ({ address, seqno }, call: LiveCall) => {
    const { proven } = await readAccountAt(call, address, seqno);
    call.immutable = seqno !== undefined;
    return String(accountFacts(proven).balance);
  },
});

/** Whether an account runs code. */
export const getAddressState = defineOperation({
  name: 'getAddressState',
  methods: ['GET', 'POST'],
  tag: 'accounts',
  summary: 'State of an account',
  description: 'An account that does not exist, or that has no code, is `uninitialized`.',
  parameters: { address: address(), seqno: masterchainSeqno() },
  result: AccountStatus(),
  cache: 'immutable',
  examples: [...getAddressStateExamples, ...accountRefusals],
  handler: async ({ address, seqno }, call: LiveCall) => {
    const { proven } = await readAccountAt(call, address, seqno);
    call.immutable = seqno !== undefined;
    return accountFacts(proven).status;
  },
});

/** Writes an account the way its shard lists it as `tvm.cell`: the account, then hash and time of its last transaction. */
function shardAccountCell({ account, lastTransHash, lastTransLt }: ProvenAccount) {
  const cells = new BuildingArena();
  const cell =
    account === undefined
      ? cells.build(new CellBuilder().boolean(false))
      : cells.add(account.cells, account.cell);
  return tvmCell(cells, cells.build(new CellBuilder().ref(cell).hash(lastTransHash).uint64(lastTransLt)));
}

/** An account as its shard lists it. */
export const getShardAccountCell = defineOperation({
  name: 'getShardAccountCell',
  methods: ['GET', 'POST'],
  tag: 'accounts',
  summary: 'An account as one cell',
  description: 'A ShardAccount: the account itself, and hash and logical time of its last transaction.',
  parameters: { address: address(), seqno: masterchainSeqno() },
  result: TvmCell,
  cache: 'immutable',
  examples: [...getShardAccountCellExamples, ...accountRefusals],
  handler: async ({ address, seqno }, call: LiveCall) => {
    const { proven } = await readAccountAt(call, address, seqno);
    call.immutable = seqno !== undefined;
    return shardAccountCell(proven);
  },
});
