import { formatRaw } from '../../../chain/address.ts';
import type { Slice } from '../../../chain/boc/slice.ts';
import { readMsgAddress } from '../../../chain/tlb/msg-address.ts';
import type { ActionColumns, ActionData } from '../../rules/action.ts';
import { type Block, compose, plainContent } from '../../rules/block.ts';
import { call, type Found, type Pattern, type PatternContext } from '../../rules/pattern.ts';
import { readAccount, readMaybeRef, tryRead } from '../../rules/read-body.ts';
import { type Rule, RuleMismatch } from '../../rules/rule.ts';

const EXCESS = 0x2565934c;
const PAYOUT = 0xc59a7cd3;
const CLIENT_TO_PROXY = 0x65448ff4;

/** Excess TON sent back. */
const excess = call(EXCESS);

/** The same, optional. */
const someExcess = call(EXCESS, { optional: true });

/** Payout to the owner of a contract. */
const payout = call(PAYOUT, { as: 'payout' });

/** A client contract notifies the proxy, which responds with this. */
function notifiesProxy(...responses: readonly Pattern[]): Pattern {
  return call(CLIENT_TO_PROXY, { as: 'notification', next: responses });
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

const TOP_UP = 0xf172e6c2;
const REGISTER = 0xc45f9f3b;
const CHANGE_SECRET_HASH = 0xa9357034;
const REQUEST_REFUND = 0xfafa6cc1;
const INCREASE_STAKE = 0x6a1f6a60;
const WITHDRAW = 0xda068e78;
const SENT_BY_WALLET = 0x9c69f376;
const REFUND_GRANTED = 0xc68ebc7b;

/** A request to a client contract: query id, request-specific fields, and the address of the owner. */
interface Order {
  readonly type: string;
  readonly opcode: number;
  readonly around: PatternContext;
  /** Reads the specific fields and returns the columns. */
  read(body: Slice, found: Found): { readonly columns?: ActionColumns; readonly fields?: ActionData };
}

function orderRule({ type, opcode, around, read }: Order): Rule {
  return {
    name: type,
    test: (block) => block.calls(opcode),
    around,
    build(block, found) {
      const body = block.bodyAfterOpcode();
      const query_id = body.uint64();
      const { columns, fields } = read(body, found);
      const whole = {
        source: readAccount(body),
        destination: block.message.destination,
        ...columns,
        data: { [`${type}_data`]: { query_id, ...fields } },
      };
      compose(plainContent(type, whole, block.node.failed), [block, ...found.blocks]);
    },
  };
}

/** Tops up the balance of a client. */
export const cocoonClientTopUp: Rule = orderRule({
  type: 'cocoon_client_top_up',
  opcode: TOP_UP,
  around: { each: notifiesProxy(excess) },
  read: (body, found) => ({
    columns: {
      amount: body.coins(),
      destination_secondary: found.named('notification')!.message.destination,
    },
  }),
});

/** Registers a client with its proxy. */
export const cocoonClientRegister: Rule = orderRule({
  type: 'cocoon_client_register',
  opcode: REGISTER,
  around: { next: [excess, notifiesProxy()] },
  read: (body) => ({ fields: { nonce: body.uint64() } }),
});

/** Changes the secret hash of a client. */
export const cocoonClientChangeSecretHash: Rule = orderRule({
  type: 'cocoon_client_change_secret_hash',
  opcode: CHANGE_SECRET_HASH,
  around: { next: [excess, notifiesProxy()] },
  read: (body) => ({ fields: { new_secret_hash: body.bigUint(256).toString(16) } }),
});

/** A client requests a refund. */
export const cocoonClientRequestRefund: Rule = orderRule({
  type: 'cocoon_client_request_refund',
  opcode: REQUEST_REFUND,
  around: {
    previous: call(SENT_BY_WALLET, { as: 'wallet', optional: true }),
    next: [excess, notifiesProxy()],
  },
  read: (_body, found) => ({ fields: { via_wallet: found.named('wallet') !== undefined } }),
});

/** A client increases its stake. */
export const cocoonClientIncreaseStake: Rule = orderRule({
  type: 'cocoon_client_increase_stake',
  opcode: INCREASE_STAKE,
  around: { next: [excess, notifiesProxy()] },
  read(body) {
    const new_stake = body.coins();
    return { columns: { amount: new_stake }, fields: { new_stake } };
  },
});

/** A client withdraws from its balance. */
export const cocoonClientWithdraw: Rule = orderRule({
  type: 'cocoon_client_withdraw',
  opcode: WITHDRAW,
  around: { each: notifiesProxy(someExcess, payout) },
  read(_body, found) {
    const withdraw_amount = tryRead(() => readGranted(found.named('notification')!)) ?? 0n;
    return { columns: { amount: withdraw_amount }, fields: { withdraw_amount } };
  },
});

/** The amount that the client contract sent to the proxy. */
function readGranted(notification: Block): bigint {
  const body = notification.bodyAfterOpcode();
  body.skip(64);
  readAccount(body);
  body.ref();
  const payload = readMaybeRef(body);
  if (payload?.uint(32) !== REFUND_GRANTED) throw new RuleMismatch('another notification');
  return payload.coins();
}

const WORKER_PAYOUT = 0xa040ad28;
const WORKER_LAST_PAYOUT = 0xf5f26a36;
const WORKER_TO_PROXY = 0x4d725d2c;
const PROXY_PAYOUT = 0x7610e6eb;
const PROXY_CHARGE = 0xbb63ff93;
const REGISTER_PROXY = 0x927c7cb5;
const UNREGISTER_PROXY = 0x6d49eaf2;
const GRANT_REFUND = 0xefd711e1;

/** Pays a worker for its computation. */
export const cocoonWorkerPayout: Rule = {
  name: 'Cocoon worker payout',
  test: (block) => block.calls(WORKER_PAYOUT, WORKER_LAST_PAYOUT),
  around: {
    each: call(WORKER_TO_PROXY, { next: [payout, someExcess] }),
  },
  build(block, found) {
    const order = block.bodyAfterOpcode();
    const query_id = order.uint64();
    const new_tokens = order.uint64();
    readAnyAddress(order);
    const request = found.call(WORKER_TO_PROXY)!.bodyAfterOpcode();
    request.skip(64);
    const owner = readAccount(request);
    const paid = found.named('payout')!;
    const columns = {
      source: block.message.source,
      source_secondary: block.message.destination,
      destination: owner,
      amount: paid.message.value,
      data: {
        cocoon_worker_payout_data: {
          payout_type: block.opcode === WORKER_LAST_PAYOUT ? 'last' : 'regular',
          query_id,
          new_tokens,
          worker_state: request.uint(2),
          worker_tokens: request.uint64(),
        },
      },
    };
    compose(plainContent('cocoon_worker_payout', columns, paid.node.failed), [block, ...found.blocks]);
  },
};

/** Pays the owner of a proxy. */
export const cocoonProxyPayout: Rule = {
  name: 'Cocoon proxy payout',
  test: (block) => block.calls(PROXY_PAYOUT),
  around: { next: [payout, excess] },
  build(block, found) {
    const body = block.bodyAfterOpcode();
    const query_id = body.uint64();
    const paid = found.named('payout')!;
    const columns = {
      source: block.message.destination,
      destination: paid.message.destination,
      destination_secondary: readAccount(body),
      data: { cocoon_proxy_payout_data: { query_id } },
    };
    compose(plainContent('cocoon_proxy_payout', columns, paid.node.failed), [block, ...found.blocks]);
  },
};

/** A proxy charges a client for usage. */
export const cocoonProxyCharge: Rule = {
  name: 'Cocoon proxy charge',
  test: (block) => block.calls(PROXY_CHARGE),
  around: { next: [excess, notifiesProxy()] },
  build(block, found) {
    const body = block.bodyAfterOpcode();
    const columns = {
      source: block.message.destination,
      destination: found.named('notification')!.message.destination,
      amount: 0n,
      data: {
        cocoon_proxy_charge_data: {
          query_id: body.uint64(),
          new_tokens_used: body.uint64(),
          expected_address: readAnyAddress(body),
        },
      },
    };
    compose(plainContent('cocoon_proxy_charge', columns, block.node.failed), [block, ...found.blocks]);
  },
};

/** Registers a proxy with the root. */
export const cocoonRegisterProxy: Rule = {
  name: 'Cocoon register proxy',
  test: (block) => block.calls(REGISTER_PROXY),
  around: { each: excess },
  build(block, found) {
    const columns = {
      destination: block.message.destination,
      data: { cocoon_register_proxy_data: { query_id: block.bodyAfterOpcode().uint64() } },
    };
    compose(plainContent('cocoon_register_proxy', columns, block.node.failed), [block, ...found.blocks]);
  },
};

/** Unregisters a proxy from the root. */
export const cocoonUnregisterProxy: Rule = {
  name: 'Cocoon unregister proxy',
  test: (block) => block.calls(UNREGISTER_PROXY),
  around: { each: excess },
  build(block, found) {
    const body = block.bodyAfterOpcode();
    const columns = {
      destination: block.message.destination,
      data: { cocoon_unregister_proxy_data: { query_id: body.uint64(), seqno: body.uint(32) } },
    };
    compose(plainContent('cocoon_unregister_proxy', columns, block.node.failed), [block, ...found.blocks]);
  },
};

/** Refunds the unused balance of a client. */
export const cocoonGrantRefund: Rule = {
  name: 'Cocoon grant refund',
  test: (block) => block.calls(GRANT_REFUND),
  around: { each: notifiesProxy(payout, excess) },
  build(block, found) {
    const body = block.bodyAfterOpcode();
    const paid = found.named('payout')!;
    const columns = {
      source: block.message.destination,
      source_secondary: found.named('notification')!.message.destination,
      destination: paid.message.destination,
      amount: paid.message.value,
      data: {
        cocoon_grant_refund_data: {
          query_id: body.uint64(),
          new_tokens_used: body.uint64(),
          expected_address: readAnyAddress(body),
        },
      },
    };
    compose(plainContent('cocoon_grant_refund', columns, paid.node.failed), [block, ...found.blocks]);
  },
};
