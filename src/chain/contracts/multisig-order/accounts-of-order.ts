import type { AccountId } from '../../tl/names.ts';
import type { OrderAction } from './parse-order.ts';

/** The accounts that the steps of an order name, each as often as it is named. */
export function accountsOfOrder(actions: readonly OrderAction[]): AccountId[] {
  const found: AccountId[] = [];
  collect(actions, found);
  return found;
}

/** Goes through what steps are made of: lists, records, and values, of which only accounts count. */
function collect(value: unknown, found: AccountId[]): void {
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return;
  if (isAccount(value)) found.push(value);
  else for (const part of Object.values(value)) collect(part, found);
}

function isAccount(value: object): value is AccountId {
  return 'workchain' in value && 'hash' in value;
}
