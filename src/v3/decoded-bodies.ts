import Type from 'typebox';
import { type BodyDecoder, DecodeBudget } from '../chain/messages/body-decoder.ts';
import { Written, written } from '../http/serializer.ts';
import { Nullable } from './values.ts';

/** What a body means, written as JSON already. */
export const decodedBodySchema = Type.Unsafe<string | null>(
  Written(
    Nullable(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description: 'What is in it, as `decode` tells; null when that is not known.',
        },
      ),
    ),
  ),
);

/** What the bodies in one answer mean. Each is decoded once, when it is first shown. */
export interface DecodedBodies {
  /** The name of an opcode, if it has one. */
  readonly opcodeName: (opcode: number) => string | undefined;
  /** JSON for the meaning of a bag, null if it has none. Equal bags are told by being the same object. */
  readonly decodedJson: (boc: Buffer | null) => string | null;
  /** JSON for the meaning of a bag in base64 or hex, or for the reason why it has none. */
  readonly decodedJsonOfText: (text: string) => string;
}

// A large body may be shown as often as an answer has messages.
const MAX_SHOWN_CHARACTERS = 64 * 1024 * 1024;
const TOO_MUCH = 'unknown: too much to decode';

/** How a decoded comment begins, and what clients expect of it where it is not inside something else. */
const COMMENT_START = '{"@type":"text_comment","text":';
const SHOWN_COMMENT_START = '{"@type":"text_comment","comment":';
const SHOWN_COMMENT_END = ',"type":"text_comment"}';

/** Begins an answer. */
export function createDecodedBodies(decoder: BodyDecoder): DecodedBodies {
  const budget = new DecodeBudget();
  const meanings = new Map<Buffer, string | null>();
  let charactersLeft = MAX_SHOWN_CHARACTERS;

  function fits(json: string): boolean {
    charactersLeft -= json.length;
    return charactersLeft >= 0;
  }

  function meaningOf(boc: Buffer | null): string | null {
    if (boc === null) return null;
    let meaning = meanings.get(boc);
    if (meaning === undefined) {
      const decoded = decoder.decodeBoc(boc, budget);
      meaning = 'json' in decoded ? written(toShown(decoded.json)) : null;
      meanings.set(boc, meaning);
    }
    return meaning !== null && fits(meaning) ? meaning : null;
  }

  function meaningOfText(text: string): string {
    const decoded = decoder.decodeText(text, budget);
    if ('error' in decoded) return written(JSON.stringify(decoded));
    return written(fits(decoded.json) ? decoded.json : JSON.stringify({ error: TOO_MUCH }));
  }

  return { opcodeName: decoder.opcodeName, decodedJson: meaningOf, decodedJsonOfText: meaningOfText };
}

/** A comment with the names that it had in former versions. A bag of cells written as a comment is not text any more. */
function toShown(json: string): string {
  if (!json.startsWith(`${COMMENT_START}"`)) return json;
  return SHOWN_COMMENT_START + json.slice(COMMENT_START.length, -1) + SHOWN_COMMENT_END;
}
