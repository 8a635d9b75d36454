import type { TSchema } from 'typebox';
import {
  defineOperation,
  type Operation,
  type OperationDefinition,
  type OperationExample,
  type ParameterSet,
} from '../http/operation.ts';
import type { LiveCall } from '../live/session.ts';
import accounts from './examples/accounts.json' with { type: 'json' };
import addresses from './examples/addresses.json' with { type: 'json' };
import blocks from './examples/blocks.json' with { type: 'json' };
import config from './examples/config.json' with { type: 'json' };
import fees from './examples/fees.json' with { type: 'json' };
import getMethods from './examples/get-methods.json' with { type: 'json' };
import messages from './examples/messages.json' with { type: 'json' };
import names from './examples/names.json' with { type: 'json' };
import tokens from './examples/tokens.json' with { type: 'json' };
import transactions from './examples/transactions.json' with { type: 'json' };

type Definition<P extends ParameterSet, R extends TSchema> = OperationDefinition<LiveCall, P, R>;

/** Declares an operation of v2 with its examples; its methods are GET and POST unless others are given. */
export function defineV2Operation<P extends ParameterSet, R extends TSchema>(
  definition: Omit<Definition<P, R>, 'name' | 'methods' | 'examples'> & {
    readonly name: Parameters<typeof examplesOf>[0];
    readonly methods?: Definition<P, R>['methods'];
  },
): Operation<LiveCall> {
  return defineOperation({ methods: ['GET', 'POST'], ...definition, examples: examplesOf(definition.name) });
}

/** One file per family; `npm run examples` records the results that vary anew, from a chain with the demo. */
const EXAMPLES = {
  ...accounts,
  ...blocks,
  ...config,
  ...fees,
  ...getMethods,
  ...messages,
  ...names,
  ...tokens,
  ...transactions,
  ...addresses,
};

/** The examples of an operation. JSON has no literal types; a test checks them against the schema of the result. */
export function examplesOf(operation: keyof typeof EXAMPLES): readonly OperationExample<never>[] {
  return EXAMPLES[operation] as unknown as readonly OperationExample<never>[];
}
