import { compose, plainContent } from '../../rules/block.ts';
import { call } from '../../rules/pattern.ts';
import type { Rule } from '../../rules/rule.ts';
import { subscription } from './layouts.ts';

/** A wallet pays for a subscription, usually on its request. */
export const subscribe: Rule = {
  name: 'subscription payment',
  test: (block) => block.calls(subscription.payment_confirmed),
  around: {
    each: call(subscription.payment),
    previous: call(subscription.payment_request, { optional: true }),
  },
  build(block, found) {
    const payment = found.call(subscription.payment);
    const request = found.call(subscription.payment_request);
    if (!payment) return;
    const { source, destination, value } = block.message;
    const columns = {
      source,
      destination: payment.message.destination,
      destination_secondary: destination,
      amount: request ? subscription.payment_request.read(request).sliceAt('amount').coins() : value,
    };
    compose(plainContent('subscribe', columns, request?.failed), [block, ...found.blocks]);
  },
};

/** A wallet cancels a subscription, which destroys itself. */
export const unsubscribe: Rule = {
  name: 'subscription end',
  test: (block) => block.calls(subscription.wallet_plugin_destruct),
  around: { each: call(subscription.wallet_plugin_destruct, { optional: true }) },
  build(block, found) {
    const { source, destination } = block.message;
    const columns = {
      source,
      destination: found.call(subscription.wallet_plugin_destruct)?.message.destination ?? null,
      destination_secondary: destination,
    };
    compose(plainContent('unsubscribe', columns), [block, ...found.blocks]);
  },
};
