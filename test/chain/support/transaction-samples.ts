import {
  Address,
  beginCell,
  type Cell,
  Dictionary,
  type DictionaryValue,
  ExternalAddress,
  loadMessage,
  type Message,
  storeMessage,
  storeTransaction,
  type Transaction,
  type TransactionActionPhase,
  type TransactionComputeVm,
  type TransactionDescription,
  type TransactionStoragePhase,
} from '@ton/core';

/** 256 bits that are easy to recognise. */
export const hashOf = (byte: number): bigint => BigInt(`0x${byte.toString(16).padStart(2, '0').repeat(32)}`);
const bytesOf = (byte: number): Buffer => Buffer.alloc(32, byte);

export const ACCOUNT = new Address(0, bytesOf(0xa5));
const OTHER = new Address(-1, bytesOf(0x3c));

const extraCurrencies = Dictionary.empty(Dictionary.Keys.Uint(32), Dictionary.Values.BigVarUint(5));
extraCurrencies.set(239, 12n);
extraCurrencies.set(0xffffffef, 2n ** 200n);

/** One message of each kind, with bodies and inits in every place they can have. */
export const MESSAGES = {
  internal: {
    info: {
      type: 'internal',
      ihrDisabled: true,
      bounce: true,
      bounced: false,
      src: ACCOUNT,
      dest: OTHER,
      value: { coins: 10n ** 19n, other: extraCurrencies },
      ihrFee: 3n,
      forwardFee: 400_000n,
      createdLt: 2n ** 63n + 5n,
      createdAt: 4_000_000_000,
    },
    body: beginCell().storeUint(0xf8a7ea5, 32).storeUint(7, 64).storeRef(beginCell()).endCell(),
  },
  deploying: {
    info: {
      type: 'internal',
      ihrDisabled: false,
      bounce: false,
      bounced: true,
      src: OTHER,
      dest: ACCOUNT,
      value: { coins: 0n },
      ihrFee: 0n,
      forwardFee: 0n,
      createdLt: 0n,
      createdAt: 0,
    },
    init: {
      splitDepth: 5,
      special: { tick: true, tock: false },
      code: beginCell().storeUint(1, 8).endCell(),
      data: beginCell().storeUint(2, 8).endCell(),
    },
    body: beginCell().storeUint(1, 31).endCell(),
  },
  external: {
    info: { type: 'external-in', src: null, dest: ACCOUNT, importFee: 9n },
    init: { code: beginCell().endCell() },
    // Too long for the rest of the cell, so it goes into one of its own.
    body: beginCell().storeBuffer(Buffer.alloc(127, 0x5a)).endCell(),
  },
  log: {
    info: {
      type: 'external-out',
      src: ACCOUNT,
      dest: new ExternalAddress(0x1abn, 9),
      createdLt: 77n,
      createdAt: 78,
    },
    body: beginCell().storeUint(0xdeadbeef, 32).endCell(),
  },
} as const satisfies Record<string, Message>;

const VM: TransactionComputeVm = {
  type: 'vm',
  success: false,
  messageStateUsed: true,
  accountActivated: false,
  gasFees: 123_456n,
  gasUsed: 2n ** 48n - 1n,
  gasLimit: 1_000_000n,
  gasCredit: 10_000n,
  mode: 1,
  exitCode: -14,
  exitArg: -2_000_000_000,
  vmSteps: 4_294_967_295,
  vmInitStateHash: hashOf(1),
  vmFinalStateHash: hashOf(2),
};

const ACTION: TransactionActionPhase = {
  success: true,
  valid: true,
  noFunds: false,
  statusChange: 'deleted',
  totalFwdFees: 1_000n,
  totalActionFees: 300n,
  resultCode: -37,
  resultArg: 5,
  totalActions: 65_535,
  specActions: 1,
  skippedActions: 2,
  messagesCreated: 3,
  actionListHash: hashOf(3),
  totalMessageSize: { cells: 4n, bits: 70_000n },
};

const STORAGE: TransactionStoragePhase = {
  storageFeesCollected: 55n,
  storageFeesDue: 66n,
  statusChange: 'frozen',
};
const RENT: TransactionStoragePhase = { storageFeesCollected: 0n, statusChange: 'unchanged' };
const SPLIT_INFO = {
  currentShardPrefixLength: 63,
  accountSplitDepth: 1,
  thisAddress: hashOf(4),
  siblingAddress: hashOf(5),
};

/** The values of the dictionary of outbound messages. */
const MESSAGE_CELLS: DictionaryValue<Message> = {
  serialize: (message, builder) => builder.storeRef(beginCell().store(storeMessage(message))),
  parse: (slice) => loadMessage(slice.loadRef().beginParse()),
};

const ordinary = {
  type: 'generic',
  creditFirst: true,
  computePhase: { type: 'skipped', reason: 'no-state' },
  aborted: true,
  destroyed: false,
} as const satisfies TransactionDescription;

/** Descriptions that @ton/core can write, by what is special about them. */
export const DESCRIPTIONS: Record<string, TransactionDescription> = {
  'all phases': {
    ...ordinary,
    storagePhase: STORAGE,
    creditPhase: { dueFeesColelcted: 8n, credit: { coins: 9n, other: extraCurrencies } },
    computePhase: VM,
    actionPhase: ACTION,
    bouncePhase: { type: 'ok', messageSize: { cells: 1n, bits: 2n }, messageFees: 3n, forwardFees: 4n },
    destroyed: true,
  },
  'no phases': { ...ordinary, creditFirst: false, aborted: false },
  'no gas, bounce without funds': {
    ...ordinary,
    creditPhase: { credit: { coins: 1n } },
    computePhase: { type: 'skipped', reason: 'no-gas' },
    bouncePhase: { type: 'no-funds', messageSize: { cells: 0n, bits: 0n }, requiredForwardFees: 10n },
  },
  'bad state, bounce with negative funds': {
    ...ordinary,
    storagePhase: RENT,
    computePhase: { type: 'skipped', reason: 'bad-state' },
    bouncePhase: { type: 'negative-funds' },
  },
  'few fields': {
    ...ordinary,
    computePhase: { ...VM, success: true, gasUsed: 0n, gasCredit: null, exitArg: null, exitCode: 0, mode: 0 },
    actionPhase: { ...ACTION, totalFwdFees: null, totalActionFees: null, resultArg: null, valid: false },
  },
  storage: { type: 'storage', storagePhase: STORAGE },
  tick: {
    type: 'tick-tock',
    isTock: false,
    storagePhase: RENT,
    computePhase: VM,
    aborted: false,
    destroyed: false,
  },
  tock: {
    type: 'tick-tock',
    isTock: true,
    storagePhase: STORAGE,
    computePhase: VM,
    actionPhase: ACTION,
    aborted: true,
    destroyed: true,
  },
  'split prepare': {
    type: 'split-prepare',
    splitInfo: SPLIT_INFO,
    storagePhase: STORAGE,
    computePhase: VM,
    aborted: true,
    destroyed: false,
  },
  'split install': {
    type: 'split-install',
    splitInfo: SPLIT_INFO,
    prepareTransaction: transactionOf({ type: 'storage', storagePhase: RENT }),
    installed: true,
  },
};

/** A transaction of @ton/core with a description and messages. */
export function transactionOf(
  description: TransactionDescription,
  messages: { readonly in?: Message; readonly out?: readonly Message[]; readonly lt?: bigint } = {},
): Transaction {
  const outMessages = Dictionary.empty(Dictionary.Keys.Uint(15), MESSAGE_CELLS);
  for (const [i, message] of (messages.out ?? []).entries()) outMessages.set(i, message);
  const transaction = {
    address: BigInt(`0x${ACCOUNT.hash.toString('hex')}`),
    lt: messages.lt ?? 2n ** 63n + 1n,
    prevTransactionHash: hashOf(6),
    prevTransactionLt: 41n,
    now: 3_999_999_999,
    outMessagesCount: outMessages.size,
    oldStatus: 'uninitialized',
    endStatus: 'frozen',
    inMessage: messages.in ?? null,
    outMessages,
    totalFees: { coins: 1_234n, other: extraCurrencies },
    stateUpdate: { oldHash: bytesOf(7), newHash: bytesOf(8) },
    description,
  } as const;
  return transaction as unknown as Transaction;
}

/** The cell of a transaction. */
export function transactionCell(transaction: Transaction): Cell {
  return beginCell().store(storeTransaction(transaction)).endCell();
}
