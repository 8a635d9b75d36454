import { LITE_FUNCTIONS } from '../chain/tl/lite-functions.ts';

const NAME_OF_ID: ReadonlyMap<number, string> = new Map(
  Object.entries(LITE_FUNCTIONS).map(([name, { id }]) => [id, name]),
);

/** The name of the function that a request without a wait prefix calls, for figures and logs. */
export function methodName(request: Uint8Array): string {
  const id = (request[0]! | (request[1]! << 8) | (request[2]! << 16) | (request[3]! << 24)) >>> 0;
  return NAME_OF_ID.get(id) ?? 'other';
}
