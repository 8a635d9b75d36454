import {
  type Address,
  beginCell,
  type CommonMessageInfo,
  type CurrencyCollection,
  type Message,
  storeMessage,
  storeStateInit,
  type Transaction,
  type TransactionActionPhase,
  type TransactionComputePhase,
  type TransactionDescription,
} from '@ton/core';

const STATUSES = {
  uninitialized: 'uninit',
  frozen: 'frozen',
  active: 'active',
  'non-existing': 'nonexist',
} as const;
const REASONS = {
  'no-state': 'no_state',
  'bad-state': 'bad_state',
  'no-gas': 'no_gas',
  suspended: 'suspended',
};

const raw = (address: unknown) => {
  if (address === null || address === undefined || !('workChain' in (address as object))) return null;
  const { workChain, hash } = address as Address;
  return `${workChain}:${hash.toString('hex').toUpperCase()}`;
};
const number256 = (value: bigint) =>
  Buffer.from(value.toString(16).padStart(64, '0'), 'hex').toString('base64');
const text = (value: bigint | number) => `${value}`;
const textOr = <K extends string>(name: K, value: bigint | number | null | undefined) =>
  (value === null || value === undefined ? {} : { [name]: `${value}` }) as Partial<Record<K, string>>;

function extraOf({ other }: CurrencyCollection): Record<string, string> {
  return Object.fromEntries([...(other ?? [])].map(([id, amount]) => [id, `${amount}`]));
}

/** A transaction in the form of v3, read by @ton/core; without fields that are not in its cell. */
export function coreTransaction(transaction: Transaction, workchain: number) {
  const outMessages = [...transaction.outMessages.values()];
  return {
    account: `${workchain}:${transaction.address.toString(16).padStart(64, '0').toUpperCase()}`,
    hash: transaction.hash().toString('base64'),
    lt: text(transaction.lt),
    now: transaction.now,
    prev_trans_hash: number256(transaction.prevTransactionHash),
    prev_trans_lt: text(transaction.prevTransactionLt),
    orig_status: STATUSES[transaction.oldStatus],
    end_status: STATUSES[transaction.endStatus],
    total_fees: text(transaction.totalFees.coins),
    total_fees_extra_currencies: extraOf(transaction.totalFees),
    description: descriptionOf(transaction.description),
    in_msg: transaction.inMessage ? messageOf(transaction.inMessage) : null,
    out_msgs: outMessages.map(messageOf),
    state_hashes: [transaction.stateUpdate.oldHash, transaction.stateUpdate.newHash].map((hash) =>
      hash.toString('base64'),
    ),
  };
}

function descriptionOf(description: TransactionDescription) {
  if (description.type !== 'generic' && description.type !== 'tick-tock')
    throw new Error(`${description.type} is not expected here`);
  const { aborted, destroyed, computePhase, actionPhase, storagePhase } = description;
  const common = {
    aborted,
    destroyed,
    compute_ph: computeOf(computePhase),
    ...(storagePhase && {
      storage_ph: {
        storage_fees_collected: text(storagePhase.storageFeesCollected),
        ...textOr('storage_fees_due', storagePhase.storageFeesDue),
        status_change: storagePhase.statusChange,
      },
    }),
    ...(actionPhase && { action: actionOf(actionPhase) }),
  };
  if (description.type === 'tick-tock') return { type: 'tick_tock', ...common, is_tock: description.isTock };
  const { creditFirst, creditPhase, bouncePhase } = description;
  const credited = creditPhase ? extraOf(creditPhase.credit) : {};
  return {
    type: 'ord',
    ...common,
    credit_first: creditFirst,
    ...(creditPhase && {
      credit_ph: {
        ...textOr('due_fees_collected', creditPhase.dueFeesColelcted),
        credit: text(creditPhase.credit.coins),
        ...(Object.keys(credited).length > 0 && { credit_extra_currencies: credited }),
      },
    }),
    ...(bouncePhase && { bounce: bounceOf(bouncePhase) }),
  };
}

function bounceOf(bounce: NonNullable<Extract<TransactionDescription, { type: 'generic' }>['bouncePhase']>) {
  if (bounce.type === 'negative-funds') return { type: 'negfunds' };
  const msg_size = { cells: text(bounce.messageSize.cells), bits: text(bounce.messageSize.bits) };
  if (bounce.type === 'no-funds')
    return { type: 'nofunds', msg_size, req_fwd_fees: text(bounce.requiredForwardFees) };
  const fees = { msg_fees: text(bounce.messageFees), fwd_fees: text(bounce.forwardFees) };
  return { type: 'ok', msg_size, ...fees };
}

function computeOf(phase: TransactionComputePhase) {
  if (phase.type === 'skipped') return { skipped: true, reason: REASONS[phase.reason] };
  return {
    skipped: false,
    success: phase.success,
    msg_state_used: phase.messageStateUsed,
    account_activated: phase.accountActivated,
    gas_fees: text(phase.gasFees),
    gas_used: text(phase.gasUsed),
    gas_limit: text(phase.gasLimit),
    ...textOr('gas_credit', phase.gasCredit),
    mode: phase.mode,
    exit_code: phase.exitCode,
    vm_steps: phase.vmSteps,
    ...(phase.exitArg !== null && phase.exitArg !== undefined && { exit_arg: phase.exitArg }),
    vm_init_state_hash: number256(phase.vmInitStateHash),
    vm_final_state_hash: number256(phase.vmFinalStateHash),
  };
}

function actionOf(phase: TransactionActionPhase) {
  return {
    success: phase.success,
    valid: phase.valid,
    no_funds: phase.noFunds,
    status_change: phase.statusChange,
    ...textOr('total_fwd_fees', phase.totalFwdFees),
    ...textOr('total_action_fees', phase.totalActionFees),
    result_code: phase.resultCode,
    ...(phase.resultArg !== null && phase.resultArg !== undefined && { result_arg: phase.resultArg }),
    tot_actions: phase.totalActions,
    spec_actions: phase.specActions,
    skipped_actions: phase.skippedActions,
    msgs_created: phase.messagesCreated,
    action_list_hash: number256(phase.actionListHash),
    tot_msg_size: { cells: text(phase.totalMessageSize.cells), bits: text(phase.totalMessageSize.bits) },
  };
}

/** Without its hash, which depends on how the message is serialised. */
function messageOf({ info, body, init }: Message) {
  const initCell = init && beginCell().store(storeStateInit(init)).endCell();
  const content = (hash: Buffer) => ({ hash: hash.toString('base64') });
  return {
    ...headOf(info),
    opcode:
      body.isExotic || body.bits.length < 32
        ? null
        : `0x${body.beginParse().loadUint(32).toString(16).padStart(8, '0')}`,
    message_content: content(body.hash()),
    init_state: initCell ? content(initCell.hash()) : null,
    ...normalizedOf(info, body),
  };
}

function headOf(info: CommonMessageInfo) {
  const internal = info.type === 'internal' ? info : undefined;
  const created = info.type === 'external-in' ? undefined : info;
  return {
    source: raw(info.src),
    destination: raw(info.dest),
    value: internal ? text(internal.value.coins) : null,
    value_extra_currencies: internal ? extraOf(internal.value) : null,
    fwd_fee: internal ? text(internal.forwardFee) : null,
    created_lt: created ? text(created.createdLt) : null,
    created_at: created ? text(created.createdAt) : null,
    ihr_disabled: internal?.ihrDisabled ?? null,
    bounce: internal?.bounce ?? null,
    bounced: internal?.bounced ?? null,
    import_fee: info.type === 'external-in' ? text(info.importFee) : null,
  };
}

function normalizedOf(info: CommonMessageInfo, body: Message['body']) {
  if (info.type !== 'external-in') return {};
  const normal: Message = { info: { ...info, src: null, importFee: 0n }, init: null, body };
  const cell = beginCell()
    .store(storeMessage(normal, { forceRef: true }))
    .endCell();
  return { normalized: cell.hash().toString('base64') };
}
