import { formatRaw } from '../../../chain/address.ts';
import type { Slice } from '../../../chain/boc/slice.ts';
import { readMsgAddress } from '../../../chain/tlb/msg-address.ts';
import type { ActionColumns, ActionData } from '../../rules/action.ts';
import { type Block, compose, plainContent } from '../../rules/block.ts';
import type { MessageLayout } from '../../rules/message-layouts.ts';
import { call, type Match, type Pattern, type PatternContext } from '../../rules/pattern.ts';
import { tryRead } from '../../rules/read-body.ts';
import { type Rule, RuleMismatch } from '../../rules/rule.ts';
import { cocoon, cocoonWallet } from './layouts.ts';

/** Excess TON sent back. */
const excess = call(cocoon.return_excesses_back);

/** The same, optional. */
const someExcess = call(cocoon.return_excesses_back, { optional: true });

/** Payout to the owner of a contract. */
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

/** What all requests to a client contract have. */
interface OrderFields {
  readonly query_id: bigint;
  readonly send_excesses_to: string | null;
}

/** A request to a client contract. */
interface Order<Fields extends OrderFields> {
  readonly type: string;
  readonly message: MessageLayout<Fields>;
  readonly around: PatternContext;
  /** The specific columns. */
  read(order: Fields, match: Match): { readonly columns?: ActionColumns; readonly fields?: ActionData };
}

function orderRule<Fields extends OrderFields>({ type, message, around, read }: Order<Fields>): Rule {
  return {
    name: type,
    calls: [message],
    around,
    build(block, match) {
      const order = message.read(block);
      const { columns, fields } = read(order, match);
      const whole = {
        source: order.send_excesses_to,
        destination: block.message.destination,
        ...columns,
        data: { [`${type}_data`]: { query_id: order.query_id, ...fields } },
      };
      compose(plainContent(type, whole, block.node.failed), [block, ...match.blocks]);
    },
  };
}

/** Tops up the balance of a client. */
export const cocoonClientTopUp: Rule = orderRule({
  type: 'cocoon_client_top_up',
  message: cocoon.ext_client_top_up,
  around: { each: notifiesProxy(excess) },
  read: (order, match) => ({
    columns: {
      amount: order.top_up_amount,
      destination_secondary: match.named('notification')!.message.destination,
    },
  }),
});

/** Registers a client with its proxy. */
export const cocoonClientRegister: Rule = orderRule({
  type: 'cocoon_client_register',
  message: cocoon.owner_client_register,
  around: { next: [excess, notifiesProxy()] },
  read: ({ nonce }) => ({ fields: { nonce } }),
});

/** Changes the secret hash of a client. */
export const cocoonClientChangeSecretHash: Rule = orderRule({
  type: 'cocoon_client_change_secret_hash',
  message: cocoon.owner_client_change_secret_hash,
  around: { next: [excess, notifiesProxy()] },
  read: ({ new_secret_hash }) => ({ fields: { new_secret_hash: new_secret_hash.toString(16) } }),
});

/** A client requests a refund. */
export const cocoonClientRequestRefund: Rule = orderRule({
  type: 'cocoon_client_request_refund',
  message: cocoon.owner_client_request_refund,
  around: {
    previous: call(cocoonWallet.wallet_send, { as: 'wallet', optional: true }),
    next: [excess, notifiesProxy()],
  },
  read: (_order, match) => ({ fields: { via_wallet: match.named('wallet') !== undefined } }),
});

/** A client increases its stake. */
export const cocoonClientIncreaseStake: Rule = orderRule({
  type: 'cocoon_client_increase_stake',
  message: cocoon.owner_client_increase_stake,
  around: { next: [excess, notifiesProxy()] },
  read: ({ new_stake }) => ({ columns: { amount: new_stake }, fields: { new_stake } }),
});

/** A client withdraws from its balance. */
export const cocoonClientWithdraw: Rule = orderRule({
  type: 'cocoon_client_withdraw',
  message: cocoon.owner_client_withdraw,
  around: { each: notifiesProxy(someExcess, payout) },
  read(_order, match) {
    const withdraw_amount = tryRead(() => readGranted(match.named('notification')!)) ?? 0n;
    return { columns: { amount: withdraw_amount }, fields: { withdraw_amount } };
  },
});

/** The amount that the client contract sent to the proxy. */
function readGranted(notification: Block): bigint {
  const { payload } = cocoon.client_proxy_request.read(notification);
  const granted = cocoon.client_proxy_refund_granted.match(payload);
  if (!granted) throw new RuleMismatch('another notification');
  return granted.coins;
}

/** Pays a worker for its computation. */
export const cocoonWorkerPayout: Rule = {
  name: 'Cocoon worker payout',
  calls: [cocoon.payout_payload, cocoon.last_payout_payload],
  around: {
    each: call(cocoon.worker_proxy_request, { next: [payout, someExcess] }),
  },
  build(block, match) {
    const order = cocoon.payout_payload.read(block);
    readAnyAddress(order.sliceAt('expected_my_address'));
    const request = cocoon.worker_proxy_request.read(match.call(cocoon.worker_proxy_request)!);
    const paid = match.named('payout')!;
    const columns = {
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
    };
    compose(plainContent('cocoon_worker_payout', columns, paid.node.failed), [block, ...match.blocks]);
  },
};

/** Pays the owner of a proxy. */
export const cocoonProxyPayout: Rule = {
  name: 'Cocoon proxy payout',
  calls: [cocoon.ext_proxy_payout_request],
  around: { next: [payout, excess] },
  build(block, match) {
    const { query_id, send_excesses_to } = cocoon.ext_proxy_payout_request.read(block);
    const paid = match.named('payout')!;
    const columns = {
      source: block.message.destination,
      destination: paid.message.destination,
      destination_secondary: send_excesses_to,
      data: { cocoon_proxy_payout_data: { query_id } },
    };
    compose(plainContent('cocoon_proxy_payout', columns, paid.node.failed), [block, ...match.blocks]);
  },
};

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

/** A proxy charges a client for usage. */
export const cocoonProxyCharge: Rule = {
  name: 'Cocoon proxy charge',
  calls: [cocoon.charge_payload],
  around: { next: [excess, notifiesProxy()] },
  build(block, match) {
    const columns = {
      source: block.message.destination,
      destination: match.named('notification')!.message.destination,
      amount: 0n,
      data: {
        cocoon_proxy_charge_data: readUsage(block),
      },
    };
    compose(plainContent('cocoon_proxy_charge', columns, block.node.failed), [block, ...match.blocks]);
  },
};

/** Registers a proxy with the root. */
export const cocoonRegisterProxy: Rule = {
  name: 'Cocoon register proxy',
  calls: [cocoon.register_proxy],
  around: { each: excess },
  build(block, match) {
    const columns = {
      destination: block.message.destination,
      data: { cocoon_register_proxy_data: { query_id: cocoon.register_proxy.read(block).query_id } },
    };
    compose(plainContent('cocoon_register_proxy', columns, block.node.failed), [block, ...match.blocks]);
  },
};

/** Unregisters a proxy from the root. */
export const cocoonUnregisterProxy: Rule = {
  name: 'Cocoon unregister proxy',
  calls: [cocoon.unregister_proxy],
  around: { each: excess },
  build(block, match) {
    const { query_id, seqno } = cocoon.unregister_proxy.read(block);
    const columns = {
      destination: block.message.destination,
      data: { cocoon_unregister_proxy_data: { query_id, seqno } },
    };
    compose(plainContent('cocoon_unregister_proxy', columns, block.node.failed), [block, ...match.blocks]);
  },
};

/** Refunds the unused balance of a client. */
export const cocoonGrantRefund: Rule = {
  name: 'Cocoon grant refund',
  calls: [cocoon.grant_refund_payload],
  around: { each: notifiesProxy(payout, excess) },
  build(block, match) {
    const paid = match.named('payout')!;
    const columns = {
      source: block.message.destination,
      source_secondary: match.named('notification')!.message.destination,
      destination: paid.message.destination,
      amount: paid.message.value,
      data: {
        cocoon_grant_refund_data: readUsage(block),
      },
    };
    compose(plainContent('cocoon_grant_refund', columns, paid.node.failed), [block, ...match.blocks]);
  },
};
