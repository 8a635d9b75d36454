import type { StakeFilter, TimeFilter } from '../db/queries/validators.ts';
import { type PageLimits, pageParams, sortParam } from './pages.ts';
import { accountParam, hashKind, utimeParam } from './parameter-kinds.ts';
import { invalidParameter, type ParameterKind, scalarParam } from './parameters.ts';

/** The key or ADNL address of a validator: 32 bytes. */
const keyKind: ParameterKind<Buffer> = {
  ...hashKind,
  refusal: (name) => `${name} must be a 32-byte value in hex, base64 or base64url format`,
};

const BOTH = 'provide either stake_holder_address or adnl_address, not both';
const WRONG_SPAN = 'start_utime must be less than or equal to end_utime';
/** Rows of a page that contain the members of a set each. */
const MAX_SETS = 100;

/** The parameters that all lists about validators have; `utime` says what the bounds are of. */
export function validatorParams(limits: PageLimits, { utime }: { readonly utime: string }) {
  return {
    stake_holder_address: accountParam({
      description: 'The account that staked. Not together with `adnl_address`.',
    }),
    adnl_address: scalarParam(keyKind, { description: 'ADNL address of the validator, in hex or base64.' }),
    validator_pubkey: scalarParam(keyKind, { description: 'Public key of the validator, in hex or base64.' }),
    start_utime: utimeParam({ description: `${utime} at or after this unix time.` }),
    end_utime: utimeParam({ description: `${utime} at or before this unix time.` }),
    ...pageParams(limits),
    sort: sortParam({ description: 'Sort direction.', fallback: 'desc' }),
  };
}

interface ValidatorParams {
  readonly stake_holder_address: Buffer | undefined;
  readonly adnl_address: Buffer | undefined;
  readonly validator_pubkey: Buffer | undefined;
  readonly start_utime: number | undefined;
  readonly end_utime: number | undefined;
  readonly limit: number;
}

/** The filter of a request. `embedding` is a parameter that includes the members of sets, if it is true. */
export function toValidatorFilter(params: ValidatorParams, embedding?: string): StakeFilter & TimeFilter {
  const {
    stake_holder_address: holder,
    adnl_address: adnlAddress,
    start_utime: from,
    end_utime: to,
  } = params;
  if (holder !== undefined && adnlAddress !== undefined) throw invalidParameter('adnl_address', BOTH);
  if (embedding !== undefined && params.limit > MAX_SETS)
    throw invalidParameter('limit', `limit must not exceed ${MAX_SETS} when ${embedding} is true`);
  if (from !== undefined && to !== undefined && from > to) throw invalidParameter('start_utime', WRONG_SPAN);
  return { holder, adnlAddress, publicKey: params.validator_pubkey, from, to };
}

/** Key material in the spelling of responses about validators. */
export function formatKey(key: Buffer): string {
  return key.toString('hex').toUpperCase();
}
