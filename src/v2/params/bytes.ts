import Type from 'typebox';
import { decodeBase64 } from '../../chain/stack/input-bytes.ts';
import type { Parameter, ParameterInput } from '../../http/operation.ts';
import { Failure } from '../../lib/failure.ts';
import { missingRefusal, parseRefusal, validateRefusal } from './refusal.ts';

const SCHEMA = Type.String({ pattern: '^[A-Za-z0-9+/_=\\s-]*$' });

/** Required bytes in base64; with `filled`, none at all are refused. */
export function bytes({
  description,
  filled = false,
}: {
  readonly description: string;
  readonly filled?: boolean;
}): Parameter<Buffer> {
  return {
    schema: SCHEMA,
    description,
    required: true,
    read: (input) => {
      const read = readBytes(input);
      if (read === undefined) throw missingRefusal(input);
      if (filled && read.length === 0) throw validateRefusal(`empty ${input.name}`);
      return read;
    },
  };
}

/** Optional bytes in base64; an empty text stands for none. */
export function optionalBytes(description: string): Parameter<Buffer | undefined> {
  return {
    schema: SCHEMA,
    description,
    required: false,
    read: (input) => {
      const read = readBytes(input);
      return read?.length === 0 ? undefined : read;
    },
  };
}

function readBytes(input: ParameterInput): Buffer | undefined {
  const given = input.values[0];
  if (given === undefined || given === null) return undefined;
  if (typeof given !== 'string') throw parseRefusal(input, 'must be a string');
  try {
    return decodeBase64(given);
  } catch (error) {
    throw error instanceof Failure ? parseRefusal(input, error.message) : error;
  }
}
