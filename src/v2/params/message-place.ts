import type { ParsedAddress } from '../../chain/address/parse-address.ts';
import type { Parameter } from '../../http/operation.ts';
import { address } from './address.ts';
import { requiredInt64 } from './integer.ts';
import { validateRefusal } from './refusal.ts';

/** What the operations take that find a transaction by a message. */
export function messageParameters() {
  return {
    source: messageEnd('Account that sent the message.'),
    destination: messageEnd('Account that the message is for.'),
    created_lt: requiredInt64({ description: 'Logical time when the message was created.', minimum: 0 }),
  };
}

/** An address of which a call has two, so that a refusal names the empty one. */
function messageEnd(description: string): Parameter<ParsedAddress> {
  const parameter = address(description);
  return {
    ...parameter,
    read: (input) => {
      const given = input.values[0];
      if (given === '' || (given === undefined && input.origin === 'query'))
        throw validateRefusal(`empty ${input.name} address`);
      return parameter.read(input);
    },
  };
}
