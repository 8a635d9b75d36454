import type { Operation } from '../http/operation.ts';
import { createAddressBook } from './accounts/address-book.ts';
import { createMetadata } from './accounts/metadata.ts';
import type { V3Call } from './call.ts';
import type { PageLimits } from './params/limit.ts';
import { createTestMethod } from './service/test-method.ts';

/** Operations are made, not declared, because the operator's limits are part of their parameters. */
const FACTORIES: readonly ((limits: PageLimits) => Operation<V3Call>)[] = [
  createAddressBook,
  createMetadata,
  createTestMethod,
];

/** Every operation of v3, in the order of the docs page. */
export function createV3Operations(limits: PageLimits): readonly Operation<V3Call>[] {
  return FACTORIES.map((create) => create(limits));
}
