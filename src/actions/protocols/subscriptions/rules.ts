import { compose, plainContent } from '../../rules/block.ts';
import { call } from '../../rules/pattern.ts';
import type { Rule } from '../../rules/rule.ts';
import { subscription } from './layouts.ts';

/** A wallet pays for a subscription, usually on its request. */
export const subscribe: Rule = {
  name: 'subscription payment',
  calls: [subscription.payment_confirmed],
  around: {
    each: call(subscription.payment),
    previous: call(subscription.payment_request, { optional: true }),
  },
  build(block, match) {
    const payment = match.call(subscription.payment);
    const request = match.call(subscription.payment_request);
    if (!payment) return;
    const { source, destination, value } = block.message;
    const columns = {
      source,
      destination: payment.message.destination,
      destination_secondary: destination,
      amount: request ? subscription.payment_request.read(request).sliceAt('amount').coins() : value,
    };
    compose(plainContent('subscribe', columns, request?.failed), [block, ...match.blocks]);
  },
};

/** A wallet cancels a subscription, which destroys itself. */
export const unsubscribe: Rule = {
  name: 'subscription end',
  calls: [subscription.wallet_plugin_destruct],
  around: { each: call(subscription.wallet_plugin_destruct, { optional: true }) },
  build(block, match) {
    const { source, destination } = block.message;
    const columns = {
      source,
      destination: match.call(subscription.wallet_plugin_destruct)?.message.destination ?? null,
      destination_secondary: destination,
    };
    compose(plainContent('unsubscribe', columns), [block, ...match.blocks]);
  },
};
