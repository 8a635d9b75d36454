import { compose } from '../compose.ts';
import { call } from '../pattern.ts';
import { plainContent } from '../plain-content.ts';
import { readAccount } from '../read-body.ts';
import type { Rule } from '../rule.ts';
import { excess, payout, readAnyAddress, someExcess, toldProxy } from './cocoon-parts.ts';

const WORKER_PAYOUT = 0xa040ad28;
const WORKER_LAST_PAYOUT = 0xf5f26a36;
const WORKER_TO_PROXY = 0x4d725d2c;
const PROXY_PAYOUT = 0x7610e6eb;
const PROXY_CHARGE = 0xbb63ff93;
const REGISTER_PROXY = 0x927c7cb5;
const UNREGISTER_PROXY = 0x6d49eaf2;
const GRANT_REFUND = 0xefd711e1;

/** A worker is paid for what it has computed. */
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
          ...{ query_id, new_tokens },
          worker_state: request.uint(2),
          worker_tokens: request.uint64(),
        },
      },
    };
    compose(plainContent('cocoon_worker_payout', columns, paid.node.failed), [block, ...found.blocks]);
  },
};

/** The owner of a proxy is paid. */
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

/** A proxy takes from a client's balance what the client has used. */
export const cocoonProxyCharge: Rule = {
  name: 'Cocoon proxy charge',
  test: (block) => block.calls(PROXY_CHARGE),
  around: { next: [excess, toldProxy()] },
  build(block, found) {
    const body = block.bodyAfterOpcode();
    const columns = {
      source: block.message.destination,
      destination: found.named('told')!.message.destination,
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

/** A proxy becomes known to the root. */
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

/** The root forgets a proxy. */
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

/** A client gets back what it has not used. */
export const cocoonGrantRefund: Rule = {
  name: 'Cocoon grant refund',
  test: (block) => block.calls(GRANT_REFUND),
  around: { each: toldProxy(payout, excess) },
  build(block, found) {
    const body = block.bodyAfterOpcode();
    const paid = found.named('payout')!;
    const columns = {
      source: block.message.destination,
      source_secondary: found.named('told')!.message.destination,
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
