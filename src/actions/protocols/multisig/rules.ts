import { tonTransferOf } from '../../rules/basic-blocks.ts';
import { type Block, compose, plainContent } from '../../rules/block.ts';
import { anyOf, call } from '../../rules/pattern.ts';
import { restAsBoc, tryRead } from '../../rules/read-body.ts';
import type { Rule } from '../../rules/rule.ts';

const NEW_ORDER = 0xf718510f;
const INIT_ORDER = 0x9c73fba2;
const APPROVE = 0xa762230f;
const ACCEPTED = 0x82609bf6;
const REJECTED = 0xafaf283e;
const EXECUTE = 0x75097f5d;
const APPROVE_COMMENT = 'approve';
/** A signer who approved by comment. */
const NO_INDEX = -1;

function readNewOrder(block: Block) {
  const body = block.bodyAfterOpcode();
  return {
    query_id: body.uint64(),
    order_seqno: body.bigUint(256),
    is_created_by_signer: body.boolean(),
    creator_index: body.uint(8),
    expiration_date: body.bigUint(48),
  };
}

function readInit(block: Block) {
  const body = block.bodyAfterOpcode();
  // Query id, threshold, signers, expiration.
  body.skip(64 + 8);
  body.ref();
  body.skip(48);
  const order_boc = restAsBoc(body.refSlice(), { crc: false });
  return { order_boc, is_signed_by_creator: body.boolean() };
}

/** Proposes a multisig order. */
export const multisigCreateOrder: Rule = {
  name: 'multisig order created',
  test: (block) => block.calls(NEW_ORDER),
  around: { each: call(INIT_ORDER, { as: 'init' }) },
  build(block, found, { interfaces }) {
    const init = found.named('init');
    const order = interfaces.multisigOrder(init?.message.destination ?? '');
    if (!init || !order) return;
    const { source, destination } = block.message;
    const columns = {
      source,
      destination,
      destination_secondary: init.message.destination,
      accounts: order.signers,
      data: { multisig_create_order_data: { ...readNewOrder(block), ...readInit(init) } },
    };
    compose(plainContent('multisig_create_order', columns), [block, init]);
  },
};

function readSignerIndex(block: Block): number {
  const body = block.bodyAfterOpcode();
  body.uint64();
  return body.uint(8);
}

function readExitCode(rejected: Block): number {
  const body = rejected.bodyAfterOpcode();
  body.uint64();
  return body.uint(32);
}

/** A signer approves an order, which may reject it. */
export const multisigApprove: Rule = {
  name: 'multisig order approved',
  test: (block) => block.calls(APPROVE) || tonTransferOf(block)?.comment === APPROVE_COMMENT,
  around: { each: anyOf([call(ACCEPTED, { as: 'accepted' }), call(REJECTED, { as: 'rejected' })]) },
  build(block, found, { interfaces }) {
    const accepted = found.named('accepted');
    const response = accepted ?? found.named('rejected');
    const { source, destination } = block.message;
    const order = interfaces.multisigOrder(destination ?? '');
    if (!response || !order) return;
    const signer_index = tryRead(() => readSignerIndex(block)) ?? NO_INDEX;
    const exit_code = accepted ? 0 : readExitCode(response);
    const columns = {
      source,
      destination,
      accounts: order.signers,
      data: { multisig_approve_data: { signer_index, exit_code } },
    };
    compose(plainContent('multisig_approve', columns, !accepted), [block, response]);
  },
};

function readExecute(block: Block) {
  const body = block.bodyAfterOpcode();
  return {
    query_id: body.uint64(),
    order_seqno: body.bigUint(256),
    expiration_date: body.bigUint(48),
    approvals_num: body.uint(8),
    signers_hash: body.hash().toString('base64'),
    order_boc: restAsBoc(body.refSlice(), { crc: false }),
  };
}

/** Executes an order with enough approvals. */
export const multisigExecute: Rule = {
  name: 'multisig order executed',
  test: (block) => block.calls(EXECUTE),
  build(block, _found, { interfaces }) {
    const { source, destination } = block.message;
    const order = interfaces.multisigOrder(source ?? '');
    if (!order) return;
    const data = { multisig_execute_data: readExecute(block) };
    const columns = { source, destination, accounts: order.signers, data };
    compose(plainContent('multisig_execute', columns, block.failed), [block]);
  },
};
