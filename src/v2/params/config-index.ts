import type { Parameter, ParameterOrigin } from '../../http/operation.ts';
import { optionalInt32 } from './integer.ts';
import { validateRefusal } from './refusal.ts';

/** A number of a configuration parameter, and where it was given. */
interface GivenIndex {
  readonly value: number;
  readonly origin: ParameterOrigin;
}

/** A number of a configuration parameter under one of its two names; `chooseIndex` takes the one that was given. */
export function configIndex(description: string): Parameter<GivenIndex | undefined> {
  // The bound is documented here and checked by `chooseIndex`, whose text has the same name for both.
  const { schema, read, required } = optionalInt32({ description });
  return {
    schema: { ...schema, minimum: 0 },
    description,
    required,
    read: (input) => {
      const value = read(input);
      return value === undefined ? undefined : { value, origin: input.origin };
    },
  };
}

/** The number that was given: in a query string the old name wins where both are, in a body there must be one. */
export function chooseIndex(param: GivenIndex | undefined, configId: GivenIndex | undefined): number {
  const given = configId ?? param;
  if (given === undefined || (configId !== undefined && param !== undefined && given.origin === 'body'))
    throw validateRefusal('only one of config_id or param should be specified');
  if (given.value < 0) throw validateRefusal('param should be non-negative');
  return given.value;
}
