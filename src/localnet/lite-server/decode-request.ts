import { LITE_FUNCTIONS, type LiteRequest } from '../../chain/tl/lite-functions.ts';
import { constructorText, TlError } from '../../chain/tl/tl-error.ts';
import { TlReader } from '../../chain/tl/tl-reader.ts';
import type { TlType } from '../../chain/tl/tl-type.ts';
import { LiteRefusal, PLAIN_ERROR } from './lite-refusal.ts';

const FUNCTION_OF_ID: ReadonlyMap<number, TlType<LiteRequest>> = new Map(
  Object.values(LITE_FUNCTIONS).map((definition) => [definition.id, definition as TlType<LiteRequest>]),
);

/** The request that a client sent. Broken ones are refused in the words of a node, which name the place. */
export function decodeRequest(bytes: Buffer): LiteRequest {
  const reader = new TlReader(bytes);
  const refuseHere = (text: string): never => {
    throw new LiteRefusal(PLAIN_ERROR, `${text} at ${bytes.length - reader.left}`);
  };
  try {
    const id = reader.uint();
    const definition = FUNCTION_OF_ID.get(id);
    if (definition === undefined) return refuseHere(`Unknown constructor found ${constructorText(id)}`);
    const request = definition.read(reader);
    return reader.left > 0 ? refuseHere('Too much data to fetch') : request;
  } catch (error) {
    if (error instanceof TlError) return refuseHere('Not enough data to read');
    throw error;
  }
}
