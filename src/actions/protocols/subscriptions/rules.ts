import { type Block, compose, plainContent } from '../../rules/block.ts';
import { call } from '../../rules/pattern.ts';
import type { Rule } from '../../rules/rule.ts';

const PAYMENT_REQUEST = 0x706c7567;
const PAYMENT_RESPONSE = 0xf06c7567;
const PAYMENT = 0x73756273;
const DESTRUCT = 0x64737472;

function readRequestedAmount(request: Block): bigint {
  const body = request.bodyAfterOpcode();
  body.uint64();
  return body.coins();
}

/** A wallet pays for a subscription, usually on its request. */
export const subscribe: Rule = {
  name: 'subscription payment',
  test: (block) => block.calls(PAYMENT_RESPONSE),
  around: { each: call(PAYMENT), previous: call(PAYMENT_REQUEST, { optional: true }) },
  build(block, found) {
    const payment = found.call(PAYMENT);
    const request = found.call(PAYMENT_REQUEST);
    if (!payment) return;
    const { source, destination, value } = block.message;
    const columns = {
      source,
      destination: payment.message.destination,
      destination_secondary: destination,
      amount: request ? readRequestedAmount(request) : value,
    };
    compose(plainContent('subscribe', columns, request?.failed), [block, ...found.blocks]);
  },
};

/** A wallet cancels a subscription, which destroys itself. */
export const unsubscribe: Rule = {
  name: 'subscription end',
  test: (block) => block.calls(DESTRUCT),
  around: { each: call(DESTRUCT, { optional: true }) },
  build(block, found) {
    const { source, destination } = block.message;
    const columns = {
      source,
      destination: found.call(DESTRUCT)?.message.destination ?? null,
      destination_secondary: destination,
    };
    compose(plainContent('unsubscribe', columns), [block, ...found.blocks]);
  },
};
