import Type from 'typebox';
import { type ParsedAddress, parseAddress } from '../../chain/address/parse-address.ts';
import type { Parameter } from '../../http/operation.ts';
import { echo, parseRefusal } from './refusal.ts';
import { requiredText, restorePlus } from './text.ts';

/** A required account address in any form. */
export function address(
  description = 'Account address: raw, friendly (base64 or base64url), or 64 hex digits for the masterchain.',
): Parameter<ParsedAddress> {
  return {
    schema: Type.String({
      pattern: '^(-?[0-9]{1,10}:[0-9a-fA-F]{64}|[A-Za-z0-9+/_-]{48}|[0-9a-fA-F]{64})$',
    }),
    description,
    required: true,
    read: (input) => {
      const text = requiredText(input);
      const parsed = parseAddress(restorePlus(text));
      if (parsed === undefined) throw parseRefusal(input, `Failed to parse ton_addr: '${echo(text)}'`);
      return parsed;
    },
  };
}
