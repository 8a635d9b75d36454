import Type from 'typebox';
import { hasFriendlyForm, type ParsedAddress, parseAddress } from '../chain/address.ts';
import { parseHash } from '../chain/hash.ts';
import type { Parameter, ParameterInput } from '../http/operation.ts';
import { Failure } from '../lib/errors.ts';
import {
  echo,
  givenValue,
  type IntegerRule,
  missingRefusal,
  optionalHash,
  optionalInt32,
  parseRefusal,
  requiredInt32,
  requiredText,
  restorePlus,
  validateRefusal,
} from './parameters.ts';

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

/** The 32 bytes of an optional account address, given as an address or as a hash in any form. */
export function accountHash(description: string): Parameter<Buffer | undefined> {
  return {
    schema: Type.String(),
    description,
    required: false,
    read: (input) => {
      const given = givenValue(input);
      if (given === undefined) return undefined;
      const text = typeof given === 'string' ? restorePlus(given) : '';
      const parsed = parseAddress(text)?.hash ?? parseHash(text);
      if (parsed === undefined) throw parseRefusal(input, `failed to parse ${input.name}`);
      return parsed;
    },
  };
}

/** Throws for an address whose workchain does not fit the friendly form. */
export function requireFriendlyForm(address: { readonly workchain: number }): void {
  if (hasFriendlyForm(address.workchain)) return;
  throw new Failure('invalid', 'workchain is out of range', { details: { parameter: 'address' } });
}

/** The masterchain block at which something is read; the newest one when left out. */
export function masterchainSeqno() {
  return optionalInt32({
    description: 'Seqno of the masterchain block to read from; the newest block when left out.',
    minimum: 1,
  });
}

/** A required masterchain seqno; missing in a query string it counts as 0, by contract. */
export function requiredMasterchainSeqno(): Parameter<number> {
  const parameter = requiredInt32({ description: 'Seqno of the masterchain block.', minimum: 1 });
  return {
    ...parameter,
    read: (input) => {
      const isAbsent = input.values[0] === undefined || input.values[0] === '';
      if (isAbsent && input.origin === 'query') throw validateRefusal(`${input.name} should be positive`);
      return parameter.read(input);
    },
  };
}

/** The workchain of a block. */
export function workchain(rule: Pick<IntegerRule, 'missing'> = {}) {
  return requiredInt32({ description: 'Workchain: -1 is the masterchain, 0 the basechain.', ...rule });
}

/** Workchain, shard and seqno of a block; with `named`, the error for a missing query parameter says that it is required. */
export function blockKey({ named = false }: { readonly named?: boolean } = {}) {
  const rule = (name: string) => (named ? { missing: `${name} required` } : {});
  return {
    workchain: workchain(rule('workchain')),
    shard: shard(rule('shard')),
    seqno: requiredInt32({ description: 'Seqno of the block in its shard.', minimum: 1, ...rule('seqno') }),
  };
}

/** The hashes of a block. With both of them it is not looked up; a single one is ignored. */
export function blockHashes() {
  return {
    root_hash: optionalHash('Root hash of the block; only used together with file_hash.'),
    file_hash: optionalHash('File hash of the block; only used together with root_hash.'),
  };
}

const DECIMAL = /^[+-]?[0-9]{1,20}$/;
const HEX = /^(?:0[xX][0-9a-fA-F]{1,16}|(?=.*[a-fA-F])[0-9a-fA-F]{16})$/;

/**
 * A required shard id. Clients send a signed decimal; an unsigned one and hex with a prefix (or 16 digits with at least
 * one letter) are accepted too.
 */
export function shard({ missing }: { missing?: string } = {}): Parameter<bigint> {
  return {
    schema: Type.String({ pattern: '^([+-]?[0-9]{1,20}|0[xX][0-9a-fA-F]{1,16}|[0-9a-fA-F]{16})$' }),
    description: 'Shard id as a signed decimal or in hex.',
    required: true,
    read: (input) => {
      const given = givenValue(input);
      if (given === undefined) {
        if (input.origin === 'body') throw missingRefusal(input);
        throw parseRefusal(input, missing ?? `failed to parse ${input.name}`);
      }
      return parseShard(given) ?? refuse(input);
    },
  };
}

function refuse(input: ParameterInput): never {
  throw parseRefusal(input, `failed to parse ${input.name}`);
}

function parseShard(given: unknown): bigint | undefined {
  if (typeof given === 'number' ? !Number.isSafeInteger(given) : typeof given === 'object') return undefined;
  const text = String(given);
  if (!DECIMAL.test(text) && !HEX.test(text)) return undefined;
  const value = DECIMAL.test(text) ? BigInt(text.replace('+', '')) : BigInt(`0x${text.replace(/^0x/i, '')}`);
  return value < -(2n ** 63n) || value >= 2n ** 64n ? undefined : BigInt.asIntN(64, value);
}
