import type { MessageFilters } from '../../db/queries/message-branches.ts';
import type { ParameterValues } from '../../http/operation.ts';
import { toAccountBytes } from '../account-bytes.ts';
import { type AddressOrNull, addressOrNullParam } from '../params/address-or-null.ts';
import { booleanParam } from '../params/boolean.ts';
import { choiceParam } from '../params/choice.ts';
import { hashKind, hashParam } from '../params/hash.ts';
import { listParam } from '../params/list.ts';
import { opcodeParam } from '../params/opcode.ts';
import { spanParams, toSpan } from '../span.ts';

const MAX_HASHES = 1000;

/** The parameters that choose messages. */
export function messageFilterParams() {
  return {
    msg_hash: listParam(hashKind, { description: 'Hashes, normalized or not.', max: MAX_HASHES }),
    hash: listParam(hashKind, {
      description: 'The same under an older name; it counts where `msg_hash` is absent.',
      max: MAX_HASHES,
    }),
    body_hash: hashParam({ description: 'Hash of the body.' }),
    source: addressOrNullParam({ description: 'Who sent it; `null` for messages from outside.' }),
    destination: addressOrNullParam({ description: 'Who is to get it; `null` for messages to outside.' }),
    opcode: opcodeParam({ description: 'First 32 bits of the body.' }),
    ...spanParams({ utime: 'Time of creation', lt: 'Logical time of creation' }),
    direction: choiceParam(['in', 'out'], {
      description: 'Only messages that were received, or that were sent, with the transaction that did it.',
    }),
    exclude_externals: booleanParam({ description: 'Without messages from outside.', fallback: false }),
    only_externals: booleanParam({ description: 'Only messages from outside.', fallback: false }),
  };
}

/** What a request wants of messages. */
export function toMessageFilters(
  params: ParameterValues<ReturnType<typeof messageFilterParams>>,
): MessageFilters {
  return {
    hashes: params.msg_hash.length > 0 ? params.msg_hash : params.hash,
    bodyHash: params.body_hash,
    source: toAccount(params.source),
    destination: toAccount(params.destination),
    opcode: params.opcode,
    direction: params.direction,
    onlyExternals: params.only_externals,
    excludeExternals: params.exclude_externals,
    span: toSpan(params),
  };
}

function toAccount(address: AddressOrNull | undefined): Buffer | null | undefined {
  if (address === 'null') return null;
  return address && toAccountBytes(address);
}
