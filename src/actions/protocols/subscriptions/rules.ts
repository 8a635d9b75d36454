import { call } from '../../rules/pattern.ts';
import type { Rule } from '../../rules/rule.ts';
import { subscription } from './layouts.ts';

export const subscriptionRules: readonly Rule[] = [
  // A wallet pays for a subscription, usually on its request.
  {
    type: 'subscribe',
    calls: [subscription.payment_confirmed],
    around: {
      each: call(subscription.payment),
      previous: call(subscription.payment_request, { optional: true }),
    },
    build(block, match) {
      const payment = match.call(subscription.payment)!;
      const request = match.call(subscription.payment_request);
      const { source, destination, value } = block.message;
      return {
        source,
        destination: payment.message.destination,
        destination_secondary: destination,
        amount: request ? subscription.payment_request.read(request).sliceAt('amount').coins() : value,
        success: !request?.failed,
      };
    },
  },
  // A wallet cancels a subscription, which destroys itself.
  {
    type: 'unsubscribe',
    calls: [subscription.wallet_plugin_destruct],
    around: { each: call(subscription.wallet_plugin_destruct, { optional: true }) },
    build(block, match) {
      const { source, destination } = block.message;
      return {
        source,
        destination: match.call(subscription.wallet_plugin_destruct)?.message.destination ?? null,
        destination_secondary: destination,
      };
    },
  },
];
