import type { Slice } from '../../../chain/boc/slice.ts';
import type { ActionColumns, ActionData } from '../action.ts';
import type { Block } from '../block.ts';
import { compose } from '../compose.ts';
import { call, type Found, type Surroundings } from '../pattern.ts';
import { plainContent } from '../plain-content.ts';
import { readAccount, readMaybeRef, tryRead } from '../read-body.ts';
import { NotThis, type Rule } from '../rule.ts';
import { excess, payout, someExcess, toldProxy } from './cocoon-parts.ts';

const TOP_UP = 0xf172e6c2;
const REGISTER = 0xc45f9f3b;
const CHANGE_SECRET_HASH = 0xa9357034;
const REQUEST_REFUND = 0xfafa6cc1;
const INCREASE_STAKE = 0x6a1f6a60;
const WITHDRAW = 0xda068e78;
const SENT_BY_WALLET = 0x9c69f376;
const REFUND_GRANTED = 0xc68ebc7b;

/** An order to a client's contract: a query id, what is special to the order, and the address of its owner. */
interface Order {
  readonly type: string;
  readonly opcode: number;
  readonly around: Surroundings;
  /** Reads what is special, and tells what it makes of it. */
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

/** Somebody adds to the balance of a client. */
export const cocoonClientTopUp: Rule = orderRule({
  type: 'cocoon_client_top_up',
  opcode: TOP_UP,
  around: { each: toldProxy(excess) },
  read: (body, found) => ({
    columns: { amount: body.coins(), destination_secondary: found.named('told')!.message.destination },
  }),
});

/** A client becomes known to its proxy. */
export const cocoonClientRegister: Rule = orderRule({
  type: 'cocoon_client_register',
  opcode: REGISTER,
  around: { next: [excess, toldProxy()] },
  read: (body) => ({ fields: { nonce: body.uint64() } }),
});

/** A client gets another secret. */
export const cocoonClientChangeSecretHash: Rule = orderRule({
  type: 'cocoon_client_change_secret_hash',
  opcode: CHANGE_SECRET_HASH,
  around: { next: [excess, toldProxy()] },
  read: (body) => ({ fields: { new_secret_hash: body.bigUint(256).toString(16) } }),
});

/** A client wants its money back. */
export const cocoonClientRequestRefund: Rule = orderRule({
  type: 'cocoon_client_request_refund',
  opcode: REQUEST_REFUND,
  around: {
    previous: call(SENT_BY_WALLET, { as: 'wallet', optional: true }),
    next: [excess, toldProxy()],
  },
  read: (_body, found) => ({ fields: { via_wallet: found.named('wallet') !== undefined } }),
});

/** A client locks more of its balance. */
export const cocoonClientIncreaseStake: Rule = orderRule({
  type: 'cocoon_client_increase_stake',
  opcode: INCREASE_STAKE,
  around: { next: [excess, toldProxy()] },
  read(body) {
    const new_stake = body.coins();
    return { columns: { amount: new_stake }, fields: { new_stake } };
  },
});

/** A client takes from its balance. */
export const cocoonClientWithdraw: Rule = orderRule({
  type: 'cocoon_client_withdraw',
  opcode: WITHDRAW,
  around: { each: toldProxy(someExcess, payout) },
  read(_body, found) {
    const withdraw_amount = tryRead(() => readGranted(found.named('told')!)) ?? 0n;
    return { columns: { amount: withdraw_amount }, fields: { withdraw_amount } };
  },
});

/** The amount that the client's contract told the proxy. */
function readGranted(told: Block): bigint {
  const body = told.bodyAfterOpcode();
  body.skip(64);
  readAccount(body);
  body.ref();
  const payload = readMaybeRef(body);
  if (payload?.uint(32) !== REFUND_GRANTED) throw new NotThis('told something else');
  return payload.coins();
}
