import Type from 'typebox';
import type { BodyDecoder, DecodedBody } from '../chain/messages/body-decoder.ts';
import { DecodeBudget } from '../chain/messages/decode-run.ts';
import { type Message, sliceOf, writePart } from '../chain/tlb/message.ts';
import { RawJson, rawJson } from '../http/serializer.ts';
import { bytesKey } from '../lib/bytes-key.ts';
import { Nullable } from './values.ts';

export const decodedObjectSchema = Type.Object(
  {},
  {
    title: 'DecodedBody',
    additionalProperties: true,
    description:
      'Fields in the order of the body; `@type` names its type. An unknown body is null, or `{"error"}` in `decode`.',
  },
);

/** A decoded body, already serialised as JSON; null if unknown. */
export const decodedBodySchema = Type.Unsafe<string | null>(RawJson(Nullable(decodedObjectSchema)));

/** Decoded message bodies of one response. Each body is decoded once, when it is first shown. */
export type DecodedBodies = ReturnType<typeof createDecodedBodies>;

interface MessageBody {
  readonly body: string;
  readonly decoded: string | null;
}

// A large body may be repeated as often as a response has messages.
const MAX_SHOWN_CHARACTERS = 64 * 1024 * 1024;

/** How the decoder writes a comment, and the form that clients expect at the top level. */
const COMMENT_START = '{"@type":"text_comment","text":';
const SHOWN_COMMENT_START = '{"@type":"text_comment","comment":';
const SHOWN_COMMENT_END = ',"type":"text_comment"}';

export function createDecodedBodies(decoder: BodyDecoder) {
  const budget = new DecodeBudget();
  const decodedBodies = new Map<Buffer, string | null>();
  // Sender and receiver show the same message.
  const contents = new Map<string, MessageBody>();
  let charactersLeft = MAX_SHOWN_CHARACTERS;

  function fits(json: string): boolean {
    charactersLeft -= json.length;
    return charactersLeft >= 0;
  }

  /** Whether everything was decoded and shown so far; there is a limit for each response. */
  const areWhole = (): boolean => charactersLeft >= 0 && budget.forBody > 0;

  /** The decoded body as JSON, null if unknown. Results are cached by object identity of the bag. */
  function decodedJson(boc: Buffer | null): string | null {
    if (boc === null) return null;
    let json = decodedBodies.get(boc);
    if (json === undefined) {
      json = shown(decoder.decodeBoc(boc, budget));
      decodedBodies.set(boc, json);
    }
    return json !== null && fits(json) ? json : null;
  }

  /** The body of a message: as a bag of cells in base64, and decoded as JSON, null if unknown. */
  function contentOf({ cells, body, bodyHash }: Message): MessageBody {
    const key = bytesKey(bodyHash);
    let content = contents.get(key);
    if (content === undefined) {
      const decoded = body.whole
        ? decoder.decodeCell(cells, body.cell, budget)
        : decoder.decodeSlice(sliceOf(cells, body), budget);
      content = { body: writePart(cells, body).toString('base64'), decoded: shown(decoded) };
      contents.set(key, content);
    }
    return content.decoded === null || fits(content.decoded) ? content : { ...content, decoded: null };
  }

  /** The decoded body of a bag in base64 or hex as JSON, or the reason why it cannot be decoded. */
  function decodedJsonOfText(text: string): string {
    const decoded = decoder.decodeText(text, budget);
    if ('error' in decoded) return rawJson(JSON.stringify(decoded));
    return rawJson(
      fits(decoded.json) ? decoded.json : JSON.stringify({ error: 'unknown: too much to decode' }),
    );
  }

  return { areWhole, opcodeName: decoder.opcodeName, contentOf, decodedJson, decodedJsonOfText };
}

function shown(decoded: DecodedBody): string | null {
  return 'json' in decoded ? rawJson(renameComment(decoded.json)) : null;
}

/** Gives a text comment the field names of earlier versions. A comment that is not a text is left as it is. */
function renameComment(json: string): string {
  if (!json.startsWith(`${COMMENT_START}"`)) return json;
  return SHOWN_COMMENT_START + json.slice(COMMENT_START.length, -1) + SHOWN_COMMENT_END;
}
