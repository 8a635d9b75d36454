import type { OperationExample } from '../http/operation.ts';
import accounts from './examples/accounts.json' with { type: 'json' };
import blocks from './examples/blocks.json' with { type: 'json' };
import contracts from './examples/contracts.json' with { type: 'json' };
import decoding from './examples/decoding.json' with { type: 'json' };
import emulate from './examples/emulate.json' with { type: 'json' };
import live from './examples/live.json' with { type: 'json' };
import pending from './examples/pending.json' with { type: 'json' };
import staking from './examples/staking.json' with { type: 'json' };
import tokens from './examples/tokens.json' with { type: 'json' };
import traces from './examples/traces.json' with { type: 'json' };
import transactions from './examples/transactions.json' with { type: 'json' };
import validators from './examples/validators.json' with { type: 'json' };

/** One file per family; `npm run examples` records the results that vary anew, from a chain with the demo. */
const EXAMPLES = {
  ...accounts,
  ...blocks,
  ...contracts,
  ...emulate,
  ...live,
  ...pending,
  ...staking,
  ...tokens,
  ...traces,
  ...transactions,
  ...decoding,
  ...validators,
};

/** The examples of an operation. JSON has no literal types; a test checks them against the schema of the result. */
export function examplesOf(operation: keyof typeof EXAMPLES): readonly OperationExample<never>[] {
  return EXAMPLES[operation] as unknown as readonly OperationExample<never>[];
}
