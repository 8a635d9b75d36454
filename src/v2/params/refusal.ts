import type { ParameterInput, ParameterOrigin } from '../../http/operation.ts';
import { Failure } from '../../lib/failure.ts';

const MAX_ECHO_CHARS = 256;

/** The wording in front of every parse error, by where the parameter came from. */
export const PARSE_PREFIX: Readonly<Record<ParameterOrigin, string>> = {
  query: 'failed to parse get request: ',
  body: 'failed to parse post request: ',
};

/** The wording in front of what is wrong with parameters that could be parsed. */
export const VALIDATE_PREFIX = 'failed to validate request: ';

/** Parameters that can be parsed and do not make sense, alone or together. */
export function validateRefusal(detail: string): Failure {
  return new Failure('invalid', `${VALIDATE_PREFIX}${detail}`);
}

/** A parameter that could not be parsed; in a body the path of the property is named as well. */
export function parseRefusal(input: ParameterInput, detail: string): Failure {
  const path = input.origin === 'body' ? `Error at path '${input.name}': ` : '';
  return new Failure('invalid', `${PARSE_PREFIX[input.origin]}${path}${detail}`, {
    details: { parameter: input.name },
  });
}

/** A required property that a body does not have. */
export function missingRefusal(input: ParameterInput): Failure {
  return new Failure('invalid', `${PARSE_PREFIX[input.origin]}Field '${input.name}' is missing`, {
    details: { parameter: input.name },
  });
}

/** The caller's own text inside a refusal, bounded. */
export function echo(text: string): string {
  return text.length <= MAX_ECHO_CHARS ? text : `${text.slice(0, MAX_ECHO_CHARS)}…`;
}
