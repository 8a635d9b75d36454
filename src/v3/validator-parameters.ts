import type { ParameterValues } from '../http/operation.ts';
import type { StakeFilter, TimeFilter } from '../index/read/validators.ts';
import {
  checkLimit,
  type ListLimits,
  lateBoundParams,
  readBounds,
  type SortOrder,
  sortParam,
  uncheckedWindowParams,
} from './list-parameters.ts';
import { accountParam, hashKind } from './parameter-kinds.ts';
import { invalidParameter, lateParam, type ParameterKind, scalarParam } from './parameters.ts';

/** The key or ADNL address of a validator: 32 bytes. */
const keyKind: ParameterKind<Buffer> = {
  ...hashKind,
  refusal: (name) => `${name} must be a 32-byte value in hex, base64 or base64url format`,
};

const BOTH = 'provide either stake_holder_address or adnl_address, not both';
/** Rows of a page that contain the members of a set each. */
const MAX_SETS = 100;

/** The parameters that all lists about validators have; `utime` says what the bounds are of. */
export function validatorParams(limits: ListLimits, { utime }: { readonly utime: string }) {
  return {
    stake_holder_address: accountParam({
      description: 'The account that staked. Not together with `adnl_address`.',
    }),
    adnl_address: keyParam('ADNL address of the validator, in hex or base64.'),
    validator_pubkey: keyParam('Public key of the validator, in hex or base64.'),
    ...lateBoundParams(utime),
    ...uncheckedWindowParams(limits),
    sort: lateParam(sortParam({ description: 'Sort direction.', fallback: 'desc' })),
  };
}

function keyParam(description: string) {
  return lateParam(scalarParam(keyKind, { description }));
}

interface ValidatorQuery {
  readonly filter: StakeFilter & TimeFilter;
  readonly sort: SortOrder;
}

/**
 * Reads what a request asks for; the first error is that of the contract. `embedding` is a parameter that includes the
 * members of sets, if it is true.
 */
export function readValidatorQuery(
  params: ParameterValues<ReturnType<typeof validatorParams>>,
  limits: ListLimits,
  embedding?: string,
): ValidatorQuery {
  const { stake_holder_address: holder, limit } = params;
  if (holder !== undefined && params.adnl_address.isGiven) throw invalidParameter('adnl_address', BOTH);
  const publicKey = params.validator_pubkey.read();
  const adnlAddress = params.adnl_address.read();
  if (embedding !== undefined && limit > MAX_SETS)
    throw invalidParameter('limit', `limit must not exceed ${MAX_SETS} when ${embedding} is true`);
  const { from, to } = readBounds(params);
  const sort = params.sort.read();
  checkLimit(limit, limits);
  return { filter: { holder, adnlAddress, publicKey, from, to }, sort };
}

/** Key material in the spelling of responses about validators. */
export function formatKey(key: Buffer): string {
  return key.toString('hex').toUpperCase();
}
