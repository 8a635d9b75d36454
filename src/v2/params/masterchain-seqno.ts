import type { Parameter } from '../../http/operation.ts';
import { optionalInt32, requiredInt32 } from './integer.ts';
import { validateRefusal } from './refusal.ts';

/** The masterchain block as of which something is read; the newest one when left out. */
export function masterchainSeqno() {
  return optionalInt32({
    description: 'Number of the masterchain block as of which to answer; the newest block when left out.',
    minimum: 1,
  });
}

/** A masterchain block that must be named; one that is not in a query string counts as number 0, by contract. */
export function requiredMasterchainSeqno(): Parameter<number> {
  const parameter = requiredInt32({ description: 'Number of the masterchain block.', minimum: 1 });
  return {
    ...parameter,
    read: (input) => {
      const isAbsent = input.values[0] === undefined || input.values[0] === '';
      if (isAbsent && input.origin === 'query') throw validateRefusal(`${input.name} should be positive`);
      return parameter.read(input);
    },
  };
}
