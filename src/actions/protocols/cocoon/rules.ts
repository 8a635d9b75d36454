import { formatRaw } from '../../../chain/address.ts';
import type { Slice } from '../../../chain/boc/slice.ts';
import { readMsgAddress } from '../../../chain/tlb/msg-address.ts';
import type { ActionColumns, ActionData } from '../../rules/action.ts';
import type { Block } from '../../rules/block.ts';
import type { MessageLayout } from '../../rules/message-layouts.ts';
import { call, type Match, type Pattern, type PatternContext } from '../../rules/pattern.ts';
import { tryRead } from '../../rules/read-body.ts';
import { type Rule, RuleMismatch } from '../../rules/rule.ts';
import { cocoon, cocoonWallet } from './layouts.ts';

const excess = call(cocoon.return_excesses_back);

const someExcess = call(cocoon.return_excesses_back, { optional: true });

const payout = call(cocoon.payout, { as: 'payout' });

/** A client contract notifies the proxy, which responds with this. */
function notifiesProxy(...responses: readonly Pattern[]): Pattern {
  return call(cocoon.client_proxy_request, { as: 'notification', next: responses });
}

/** An address of any kind as text; an external one is its bit length and value. */
function readAnyAddress(slice: Slice): string | null {
  const address = readMsgAddress(slice);
  switch (address.kind) {
    case 'none':
      return null;
    case 'std':
      return formatRaw({ workchain: address.workchain, hash: address.hash }, 'upper');
    case 'extern': {
      const value = BigInt(`0x0${address.value.toString('hex')}`) >> BigInt(-address.bits & 7);
      return `${address.bits};${value.toString(16)}`;
    }
    default:
      throw new RuleMismatch('unsupported address kind');
  }
}

interface OrderFields {
  readonly query_id: bigint;
  readonly send_excesses_to: string | null;
}

interface Order<Fields extends OrderFields> {
  readonly type: string;
  readonly message: MessageLayout<Fields>;
  readonly around: PatternContext;
  read(order: Fields, match: Match): { readonly columns?: ActionColumns; readonly fields?: ActionData };
}

function orderRule<Fields extends OrderFields>({ type, message, around, read }: Order<Fields>): Rule {
  return {
    type,
    calls: [message],
    around,
    build(block, match) {
      const order = message.read(block);
      const { columns, fields } = read(order, match);
      return {
        source: order.send_excesses_to,
        destination: block.message.destination,
        ...columns,
        data: { [`${type}_data`]: { query_id: order.query_id, ...fields } },
        success: !block.node.failed,
      };
    },
  };
}

/** The amount that the client contract sent to the proxy. */
function readGranted(notification: Block): bigint {
  const { payload } = cocoon.client_proxy_request.read(notification);
  const granted = cocoon.client_proxy_refund_granted.match(payload);
  if (!granted) throw new RuleMismatch('another notification');
  return granted.coins;
}

/** Charges and refunds have the same fields. */
function readUsage(block: Block): ActionData {
  const usage = cocoon.charge_payload.read(block);
  const { query_id, new_tokens_used } = usage;
  return {
    query_id,
    new_tokens_used,
    expected_address: readAnyAddress(usage.sliceAt('expected_my_address')),
  };
}

export const cocoonRules: readonly Rule[] = [
  {
    type: 'cocoon_worker_payout',
    calls: [cocoon.payout_payload, cocoon.last_payout_payload],
    around: { each: call(cocoon.worker_proxy_request, { next: [payout, someExcess] }) },
    build(block, match) {
      const order = cocoon.payout_payload.read(block);
      readAnyAddress(order.sliceAt('expected_my_address'));
      const request = cocoon.worker_proxy_request.read(match.call(cocoon.worker_proxy_request)!);
      const paid = match.named('payout')!;
      return {
        source: block.message.source,
        source_secondary: block.message.destination,
        destination: request.owner_address,
        amount: paid.message.value,
        data: {
          cocoon_worker_payout_data: {
            payout_type: block.calls(cocoon.last_payout_payload) ? 'last' : 'regular',
            query_id: order.query_id,
            new_tokens: order.new_tokens,
            worker_state: request.state,
            worker_tokens: request.tokens,
          },
        },
        success: !paid.node.failed,
      };
    },
  },
  {
    type: 'cocoon_proxy_payout',
    calls: [cocoon.ext_proxy_payout_request],
    around: { next: [payout, excess] },
    build(block, match) {
      const { query_id, send_excesses_to } = cocoon.ext_proxy_payout_request.read(block);
      const paid = match.named('payout')!;
      return {
        source: block.message.destination,
        destination: paid.message.destination,
        destination_secondary: send_excesses_to,
        data: { cocoon_proxy_payout_data: { query_id } },
        success: !paid.node.failed,
      };
    },
  },
  {
    type: 'cocoon_proxy_charge',
    calls: [cocoon.charge_payload],
    around: { next: [excess, notifiesProxy()] },
    build(block, match) {
      return {
        source: block.message.destination,
        destination: match.named('notification')!.message.destination,
        amount: 0n,
        data: { cocoon_proxy_charge_data: readUsage(block) },
        success: !block.node.failed,
      };
    },
  },
  orderRule({
    type: 'cocoon_client_top_up',
    message: cocoon.ext_client_top_up,
    around: { each: notifiesProxy(excess) },
    read: (order, match) => ({
      columns: {
        amount: order.top_up_amount,
        destination_secondary: match.named('notification')!.message.destination,
      },
    }),
  }),
  {
    type: 'cocoon_register_proxy',
    calls: [cocoon.register_proxy],
    around: { each: excess },
    build(block) {
      return {
        destination: block.message.destination,
        data: { cocoon_register_proxy_data: { query_id: cocoon.register_proxy.read(block).query_id } },
        success: !block.node.failed,
      };
    },
  },
  {
    type: 'cocoon_unregister_proxy',
    calls: [cocoon.unregister_proxy],
    around: { each: excess },
    build(block) {
      const { query_id, seqno } = cocoon.unregister_proxy.read(block);
      return {
        destination: block.message.destination,
        data: { cocoon_unregister_proxy_data: { query_id, seqno } },
        success: !block.node.failed,
      };
    },
  },
  orderRule({
    type: 'cocoon_client_register',
    message: cocoon.owner_client_register,
    around: { next: [excess, notifiesProxy()] },
    read: ({ nonce }) => ({ fields: { nonce } }),
  }),
  orderRule({
    type: 'cocoon_client_change_secret_hash',
    message: cocoon.owner_client_change_secret_hash,
    around: { next: [excess, notifiesProxy()] },
    read: ({ new_secret_hash }) => ({ fields: { new_secret_hash: new_secret_hash.toString(16) } }),
  }),
  orderRule({
    type: 'cocoon_client_request_refund',
    message: cocoon.owner_client_request_refund,
    around: {
      previous: call(cocoonWallet.wallet_send, { as: 'wallet', optional: true }),
      next: [excess, notifiesProxy()],
    },
    read: (_order, match) => ({ fields: { via_wallet: match.named('wallet') !== undefined } }),
  }),
  {
    type: 'cocoon_grant_refund',
    calls: [cocoon.grant_refund_payload],
    around: { each: notifiesProxy(payout, excess) },
    build(block, match) {
      const paid = match.named('payout')!;
      return {
        source: block.message.destination,
        source_secondary: match.named('notification')!.message.destination,
        destination: paid.message.destination,
        amount: paid.message.value,
        data: { cocoon_grant_refund_data: readUsage(block) },
        success: !paid.node.failed,
      };
    },
  },
  orderRule({
    type: 'cocoon_client_increase_stake',
    message: cocoon.owner_client_increase_stake,
    around: { next: [excess, notifiesProxy()] },
    read: ({ new_stake }) => ({ columns: { amount: new_stake }, fields: { new_stake } }),
  }),
  orderRule({
    type: 'cocoon_client_withdraw',
    message: cocoon.owner_client_withdraw,
    around: { each: notifiesProxy(someExcess, payout) },
    read(_order, match) {
      const withdraw_amount = tryRead(() => readGranted(match.named('notification')!)) ?? 0n;
      return { columns: { amount: withdraw_amount }, fields: { withdraw_amount } };
    },
  }),
];
