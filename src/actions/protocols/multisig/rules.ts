import { tonTransferOf } from '../../rules/basic-blocks.ts';
import type { Block } from '../../rules/block.ts';
import { anyOf, call } from '../../rules/pattern.ts';
import { restAsBoc, tryRead } from '../../rules/read-body.ts';
import type { Rule } from '../../rules/rule.ts';
import { multisig } from './layouts.ts';

const APPROVE_COMMENT = 'approve';
/** A signer who approved by comment. */
const NO_INDEX = -1;

function readNewOrder(block: Block) {
  const { query_id, order_seqno, signer, index, expiration_date } = multisig.mulisig_new_order.read(block);
  return { query_id, order_seqno, is_created_by_signer: signer, creator_index: index, expiration_date };
}

function readInit(block: Block) {
  const init = multisig.order_init.read(block);
  const order_boc = restAsBoc(init.order.slice(), { crc: false });
  return { order_boc, is_signed_by_creator: init.sliceAt('signer_index').boolean() };
}

function readExecute(block: Block) {
  const { query_id, order_seqno, expiration_date, approvals_num, signers_hash, order } =
    multisig.execute.read(block);
  return {
    query_id,
    order_seqno,
    expiration_date,
    approvals_num,
    signers_hash: signers_hash.toString('base64'),
    order_boc: restAsBoc(order.slice(), { crc: false }),
  };
}

export const multisigRules: readonly Rule[] = [
  // Proposes a multisig order.
  {
    type: 'multisig_create_order',
    calls: [multisig.mulisig_new_order],
    around: { each: call(multisig.order_init, { as: 'init' }) },
    build(block, match, { interfaces }) {
      const init = match.named('init')!;
      const order = interfaces.multisigOrder(init.message.destination ?? '');
      if (!order) return undefined;
      const { source, destination } = block.message;
      return {
        source,
        destination,
        destination_secondary: init.message.destination,
        accounts: order.signers,
        data: { multisig_create_order_data: { ...readNewOrder(block), ...readInit(init) } },
        members: [block, init],
      };
    },
  },
  // A signer approves an order, which may reject it.
  {
    type: 'multisig_approve',
    test: (block) => block.calls(multisig.approve) || tonTransferOf(block)?.comment === APPROVE_COMMENT,
    around: {
      each: anyOf([
        call(multisig.approve_accepted, { as: 'accepted' }),
        call(multisig.approve_rejected, { as: 'rejected' }),
      ]),
    },
    build(block, match, { interfaces }) {
      const accepted = match.named('accepted');
      const response = accepted ?? match.named('rejected');
      const { source, destination } = block.message;
      const order = interfaces.multisigOrder(destination ?? '');
      if (!response || !order) return undefined;
      const signer_index = tryRead(() => multisig.approve.read(block).signer_index) ?? NO_INDEX;
      const exit_code = accepted ? 0 : multisig.approve_rejected.read(response).exit_code;
      return {
        source,
        destination,
        accounts: order.signers,
        data: { multisig_approve_data: { signer_index, exit_code } },
        success: accepted !== undefined,
        members: [block, response],
      };
    },
  },
  // Executes an order with enough approvals.
  {
    type: 'multisig_execute',
    calls: [multisig.execute],
    build(block, _match, { interfaces }) {
      const { source, destination } = block.message;
      const order = interfaces.multisigOrder(source ?? '');
      if (!order) return undefined;
      const data = { multisig_execute_data: readExecute(block) };
      return { source, destination, accounts: order.signers, data, success: !block.failed };
    },
  },
];
