import type { Static } from 'typebox';
import Type from 'typebox';
import { hasFriendlyForm, type ParsedAddress, parseAddress, toAccountBytes } from '../chain/address.ts';
import { parseMethodId } from '../chain/contracts/method-ids.ts';
import type { StackEntry } from '../chain/stack/entries.ts';
import { formatV3Stack, readV3Stack, type V3Entry } from '../chain/stack/v3.ts';
import { ShownAs, schemaRef } from '../http/named-schemas.ts';
import type { Parameter } from '../http/operation.ts';
import { Int64, PlainText } from '../http/serializer.ts';
import { type KnownAccount, lacksCells } from '../index/read/accounts.ts';
import { Failure } from '../lib/errors.ts';
import type { AccountState } from '../live/accounts.ts';
import { InvalidExternalMessage } from '../live/external-messages.ts';
import {
  knownFromLive,
  liveBoc,
  loadAccount,
  loadSuspensions,
  suspendedFields,
  toWalletFields,
  WALLET_CELLS,
  walletFields,
  walletOf,
} from './accounts.ts';
import { defineV3Operation, emulatorVersionOf, type V3Call } from './operation.ts';
import { addressKind, addressParam, bocParam, booleanParam, stringParam } from './parameter-kinds.ts';
import { invalidParameter, type ParameterKind, scalarParam } from './parameters.ts';
import { EmulatorVersion, formatHash, Nullable } from './values.ts';

const NO_HASH = Buffer.alloc(32);

/** Members of all v2-style results. An account that does not exist looks like an empty one. */
function liveMembers(live: AccountState | undefined) {
  return {
    balance: String(live?.balance ?? 0n),
    last_transaction_lt: String(live?.lastTransLt ?? 0n),
    last_transaction_hash: (live?.lastTransHash ?? NO_HASH).toString('base64'),
    status: liveStatus(live),
  };
}

/** The status as v2 names it: an account without code is uninitialized. */
function liveStatus(live: AccountState | undefined): 'active' | 'frozen' | 'uninitialized' {
  if (live?.code !== undefined) return 'active';
  return live?.frozenHash === undefined ? 'uninitialized' : 'frozen';
}

const addressInformationSchema = Type.Object(
  {
    balance: PlainText({ description: 'Nanotons.' }),
    code: Nullable(PlainText({ description: 'Also null when it is not indexed yet.' })),
    data: Nullable(PlainText({ description: 'Also null when it is not indexed yet.' })),
    last_transaction_lt: PlainText(),
    last_transaction_hash: PlainText(),
    frozen_hash: Nullable(PlainText({ description: 'Only with `use_v2`.' })),
    status: Type.String(),
    ...suspendedFields,
  },
  { title: 'V2AddressInformation' },
);

type AddressInformation = Static<typeof addressInformationSchema>;

const NO_ACCOUNT: AddressInformation = {
  ...liveMembers(undefined),
  status: 'uninit',
  code: null,
  data: null,
  frozen_hash: null,
};

/** The network accepts messages of 64 kB; in base64, with code and data beside them, this is three of those. */
const BAGS_BODY_BYTES = 256 * 1024;

export const createAddressInformation = () =>
  defineV3Operation({
    name: 'addressInformation',
    aliases: ['account'],
    tag: 'api/v2',
    summary: 'Get balance, code and data of an account',
    description: 'An unknown account is returned as an empty one.',
    parameters: accountParams(),
    result: addressInformationSchema,
    errors: [{ code: 500, when: 'With `use_v2`, a lite server failed' }],
    handler: async ({ address, use_v2 }, call) => {
      const account = toAccountBytes(address);
      if (use_v2) return withSuspension(call, account, addressFromLive(await readLive(call, address)));
      const wantedCells = { codes: true, dataOf: () => true };
      const row = await loadAccount(call, account, wantedCells);
      return withSuspension(call, account, row === undefined ? NO_ACCOUNT : addressFromIndex(row));
    },
  });

async function withSuspension<T extends object>(call: V3Call, account: Buffer, result: T) {
  const suspended = (await loadSuspensions(call))(account);
  return suspended === undefined ? result : { ...result, suspended };
}

/** Members of all results from the index. */
function indexedMembers({ balance, last_trans_lt, last_trans_hash, status }: KnownAccount) {
  const last_transaction_hash = formatHash(last_trans_hash);
  return { balance, last_transaction_lt: last_trans_lt, last_transaction_hash, status };
}

function addressFromIndex(row: KnownAccount): AddressInformation {
  return {
    ...indexedMembers(row),
    code: row.code?.toString('base64') ?? null,
    data: row.data?.toString('base64') ?? null,
    // Null by contract; `accountStates` returns it.
    frozen_hash: null,
  };
}

function addressFromLive(live: AccountState | undefined): AddressInformation {
  return {
    ...liveMembers(live),
    code: live?.code ? liveBoc(live.code, true).toString('base64') : null,
    data: live?.data ? liveBoc(live.data, true).toString('base64') : null,
    frozen_hash: live?.frozenHash?.toString('base64') ?? null,
  };
}

const walletInformationSchema = Type.Object(
  {
    balance: PlainText({ description: 'Nanotons.' }),
    ...walletFields,
    last_transaction_lt: PlainText(),
    last_transaction_hash: PlainText(),
    status: Type.String(),
    ...suspendedFields,
  },
  { title: 'V2WalletInformation' },
);

type WalletInformation = Static<typeof walletInformationSchema>;

const NO_WALLET: WalletInformation = { ...liveMembers(undefined), status: 'uninit' };

export const createWalletInformation = () =>
  defineV3Operation({
    name: 'walletInformation',
    aliases: ['wallet'],
    tag: 'api/v2',
    summary: 'Get type, seqno and id of a wallet',
    description:
      'Knows wallets v1 to v5. An unknown account is returned as an empty one without the wallet members.',
    parameters: accountParams(),
    result: walletInformationSchema,
    errors: [
      { code: 409, when: 'The account exists and is not a wallet' },
      { code: 500, when: 'With `use_v2`, a lite server failed' },
      { code: 503, when: 'The data of the wallet is not indexed yet' },
    ],
    handler: async ({ address, use_v2 }, call) => {
      const account = toAccountBytes(address);
      if (use_v2)
        return withSuspension(call, account, walletFromLive(account, await readLive(call, address)));
      const row = await loadAccount(call, account, WALLET_CELLS);
      return withSuspension(call, account, row === undefined ? NO_WALLET : walletFromIndex(row));
    },
  });

function walletFromIndex(row: KnownAccount): WalletInformation {
  const wallet = walletOf(row);
  // It may be a wallet, so an error is better than a wrong 409.
  if (lacksCells(row, WALLET_CELLS))
    throw new Failure('unavailable', 'the data of the account is not in the index yet');
  if (wallet === undefined && row.status !== 'uninit' && row.status !== 'nonexist') throw notWallet();
  return { ...indexedMembers(row), ...(wallet && toWalletFields(wallet)) };
}

function walletFromLive(account: Buffer, live: AccountState | undefined): WalletInformation {
  const wallet = live && walletOf(knownFromLive(account, live));
  const members = liveMembers(live);
  if (wallet === undefined && members.status !== 'uninitialized') throw notWallet();
  // Only v2 has wallet ids as signed numbers.
  const walletId = wallet?.walletId === undefined ? undefined : wallet.walletId | 0;
  return { ...members, ...(wallet && toWalletFields({ ...wallet, walletId })) };
}

async function readLive(call: V3Call, address: ParsedAddress): Promise<AccountState | undefined> {
  const live = await asServerFault(call.ports.live.accountState(address, call));
  call.notes.isLive = true;
  return live;
}

function notWallet(): Failure {
  return new Failure('conflict', 'not a wallet');
}

function accountParams() {
  return {
    address: addressParam('Account to look up.', {
      required: true,
      missingText: 'address of account is required',
    }),
    use_v2: booleanParam(
      'Reads from a lite server instead of the index; statuses have their v2 names then.',
      { fallback: false },
    ),
  };
}

const stackEntrySchema = {
  title: 'V2StackEntity',
  oneOf: [
    Type.Object({
      type: Type.Enum(['num', 'cell', 'slice']),
      value: Type.String({
        description: 'A number in hex (`0x…`, `-0x…`), or a bag of cells in base64.',
      }),
    }),
    Type.Object({
      type: Type.Enum(['tuple', 'list']),
      value: Type.Array(ShownAs(Type.Unknown(), schemaRef('V2StackEntity'))),
    }),
  ],
};

/** Entries may contain entries, so they are written as they are. */
const stackSchema = Type.Unsafe<readonly V3Entry[]>(
  ShownAs(Type.Array(Type.Unknown()), { type: 'array', items: stackEntrySchema }),
);

export const createRunGetMethod = () =>
  defineV3Operation({
    name: 'runGetMethod',
    methods: ['POST'],
    tag: 'api/v2',
    summary: 'Run a get-method',
    description:
      'Runs on the newest state of the lite servers, which may be newer than the index. The gas limit is 4 000 000. A failed run is returned with its `exit_code`.',
    parameters: {
      address: anyAddressParam('Contract to run the get-method of.'),
      method: stringParam('Name of the get-method; a numeric string (`"85143"`, `"0x14c97"`) is an id.', {
        required: true,
      }),
      stack: stackParam(),
    },
    maxBodyBytes: BAGS_BODY_BYTES,
    requestName: 'V2RunGetMethodRequest',
    result: Type.Object(
      { gas_used: Type.Integer(), exit_code: Type.Integer(), stack: stackSchema },
      { title: 'V2RunGetMethodResult' },
    ),
    errors: [
      { code: 500, when: 'A lite server failed' },
      { code: 501, when: 'The result has a value that JSON cannot represent' },
    ],
    cache: 'none',
    handler: async ({ address: account, method, stack }, call) => {
      const run = { account, methodId: parseMethodId(method), stack };
      const result = await asServerFault(call.ports.live.runGetMethod(run, call));
      return {
        gas_used: result.gasUsed,
        exit_code: result.exitCode,
        stack: formatV3Stack(result.stack),
      };
    },
  });

function stackParam(): Parameter<readonly StackEntry[]> {
  return {
    schema: Type.Array(
      Type.Object(
        {
          type: Type.Enum(['num', 'cell', 'slice']),
          value: Type.Unknown({
            description: 'A number (decimal or `0x…` hex, as text or number), or a bag of cells in base64.',
          }),
        },
        { title: 'V2StackEntityInput' },
      ),
    ),
    description: 'Arguments, the last one on top.',
    required: false,
    read: ({ name, values }) => {
      const given = values.at(-1);
      try {
        return readV3Stack(given);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        const { message } = error;
        throw invalidParameter(name, message.includes(name) ? message : `${name}: ${message}`);
      }
    },
  };
}

const feesSchema = Type.Object(
  {
    in_fwd_fee: Int64(),
    storage_fee: Int64(),
    gas_fee: Int64(),
    fwd_fee: Int64(),
  },
  { title: 'V2EstimatedFee' },
);

export const createEstimateFee = () =>
  defineV3Operation({
    name: 'estimateFee',
    predicts: true,
    methods: ['POST'],
    tag: 'api/v2',
    summary: 'Estimate the fees of an external message',
    description:
      'Runs the contract on the message at the newest block. `gas_fee` and `fwd_fee` are 0 if the contract does not accept the message. Fees of the receivers of its messages are not estimated.',
    parameters: {
      address: anyAddressParam('Account that receives the message.'),
      body: bocParam('Body of the message as a bag of cells in base64.', { required: true }),
      init_code: bocParam('Code of the contract to deploy, as a bag of cells in base64.'),
      init_data: bocParam('Data of the contract to deploy; only used together with init_code.'),
      ignore_chksig: booleanParam('Whether every signature check succeeds.', { fallback: false }),
    },
    maxBodyBytes: BAGS_BODY_BYTES,
    requestName: 'V2EstimateFeeRequest',
    result: Type.Object(
      {
        source_fees: feesSchema,
        destination_fees: Type.Array(feesSchema),
        emulator_version: EmulatorVersion('The version of the TVM that estimated them.'),
      },
      { title: 'V2EstimateFeeResult' },
    ),
    errors: [{ code: 500, when: 'The fees cannot be estimated' }],
    cache: 'none',
    handler: async (params, call) => {
      const { address: to, body, init_code: code, init_data: data, ignore_chksig: ignoreSignature } = params;
      if (code !== undefined && data === undefined)
        throw invalidParameter('init_data', 'init_data is required with init_code');
      // As in v2, data without code is ignored.
      const init = code && data && { code, data };
      const fees = await call.ports.live.estimateFee({ to, body, init, ignoreSignature }, call);
      return {
        source_fees: {
          in_fwd_fee: fees.importFee,
          storage_fee: fees.storageFee,
          gas_fee: fees.gasFee,
          fwd_fee: fees.forwardFee,
        },
        destination_fees: [],
        ...emulatorVersionOf(call),
      };
    },
  });

/** The v2-style operations accept all address forms of v2; an empty address counts as missing. */
const anyAddressKind: ParameterKind<ParsedAddress> = {
  ...addressKind,
  convert: (text) => {
    const address = parseAddress(text);
    return address && hasFriendlyForm(address.workchain) ? address : undefined;
  },
  empty: 'absent',
};

function anyAddressParam(description: string): Parameter<ParsedAddress> {
  return scalarParam(anyAddressKind, description, { required: true });
}

export const createSendMessage = () =>
  defineV3Operation({
    name: 'message',
    methods: ['POST'],
    tag: 'api/v2',
    summary: 'Send an external message and get its hashes',
    description:
      'Returns as soon as one lite server accepted the message. `message_hash_norm` is the hash of its normal form (TEP-467), which does not depend on how the message is serialised.',
    parameters: {
      boc: bocParam('External message as a bag of cells in base64.', { required: true }),
    },
    maxBodyBytes: BAGS_BODY_BYTES,
    requestName: 'V2SendMessageRequest',
    result: Type.Object(
      { message_hash: PlainText(), message_hash_norm: PlainText() },
      { title: 'V2SendMessageResult' },
    ),
    errors: [{ code: 500, when: 'Rejected by the lite servers' }],
    cache: 'none',
    handler: async ({ boc }, call) => {
      const { hash, normalizedHash } = await asInvalidBoc(call.ports.live.sendMessage(boc, call));
      return { message_hash: hash.toString('base64'), message_hash_norm: normalizedHash.toString('base64') };
    },
  });

/** In v2 a cell that is not a message is a server failure; here it is the caller's mistake. */
async function asInvalidBoc<T>(result: Promise<T>): Promise<T> {
  try {
    return await result;
  } catch (error) {
    if (!(error instanceof InvalidExternalMessage)) throw error;
    throw new Failure('invalid', `boc is not an external message: ${error.message}`, {
      details: { parameter: 'boc' },
      cause: error,
    });
  }
}

/** A missing lite server has its own status in v2; by the contract of v3 it is a lite server failure. */
async function asServerFault<T>(result: Promise<T>): Promise<T> {
  try {
    return await result;
  } catch (error) {
    if (!(error instanceof Failure) || error.kind !== 'no_lite_server') throw error;
    throw new Failure('lite_server', error.message, { cause: error });
  }
}
