import { Failure } from '../lib/errors.ts';
import {
  buildExternalMessage,
  type ExternalMessage,
  readExternalMessage,
} from '../live/external-messages.ts';
import { broadcastMessage, forwardExternalMessage, sendExternalMessage } from '../live/send-messages.ts';
import {
  CELLS_BODY_BYTES,
  cellObject,
  joinCells,
  MESSAGE_BODY_BYTES,
  messageBoc,
  messageCells,
  messageParts,
  readBag,
  readParts,
  SENDING,
} from './message-parameters.ts';
import { defineV2Operation } from './operation.ts';
import { Hash256, TonlibObject } from './shapes.ts';

/** `ok`. */
const ResultOk = TonlibObject('ok', 'ResultOk', {});

/** Writes `ok`. */
function resultOk() {
  return { '@type': 'ok' as const };
}

/** `raw.extMessageInfo`: the hashes of a message. */
const ExtMessageInfo = TonlibObject('raw.extMessageInfo', 'ExtMessageInfo', {
  hash: Hash256(),
  hash_norm: Hash256(),
});

/** Writes `raw.extMessageInfo`. */
function extMessageInfo({ hash, normalizedHash }: ExternalMessage) {
  return {
    '@type': 'raw.extMessageInfo' as const,
    hash: hash.toString('base64'),
    hash_norm: normalizedHash.toString('base64'),
  };
}

export const sendBoc = defineV2Operation({
  name: 'sendBoc',
  ...SENDING,
  summary: 'Send an external message',
  description:
    'The message is sent to several lite servers. Success means that at least one accepted it, not that it is in a block.',
  parameters: { boc: messageBoc() },
  maxBodyBytes: MESSAGE_BODY_BYTES,
  ignoreUnknownProperties: true,
  result: ResultOk,
  errors: [{ code: 500, when: 'Not an external message, or rejected by the lite servers' }],
  handler: async ({ boc }, call) => {
    await forwardExternalMessage(call, readBag('body', boc));
    return resultOk();
  },
});

export const sendBocReturnHash = defineV2Operation({
  name: 'sendBocReturnHash',
  ...SENDING,
  summary: 'Send an external message and get its hashes',
  description:
    'Same as sendBoc. `hash` is the hash of the message as sent, `hash_norm` that of its normal form (TEP-467), which does not depend on how the message is serialised.',
  parameters: { boc: messageBoc() },
  maxBodyBytes: MESSAGE_BODY_BYTES,
  ignoreUnknownProperties: true,
  result: ExtMessageInfo,
  errors: [{ code: 500, when: 'Not an external message, or rejected by the lite servers' }],
  handler: async ({ boc }, call) => extMessageInfo(await sendExternalMessage(call, readBag('body', boc))),
});

export const sendBocReturnHashNoError = defineV2Operation({
  name: 'sendBocReturnHashNoError',
  ...SENDING,
  summary: 'Send an external message and get its hashes, failures with status 400',
  description: 'Same as sendBocReturnHash, but every failure of the message has status 400.',
  parameters: { boc: messageBoc() },
  maxBodyBytes: MESSAGE_BODY_BYTES,
  result: ExtMessageInfo,
  errors: [{ code: 400, when: 'Not an external message, or rejected by the lite servers' }],
  handler: async ({ boc }, call) => {
    try {
      return extMessageInfo(await sendExternalMessage(call, readBag('body', boc)));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      throw new Failure('bad_request', error.message, { cause: error });
    }
  },
});

export const sendBocUnsafe = defineV2Operation({
  name: 'sendBocUnsafe',
  ...SENDING,
  summary: 'Send an external message with retries',
  description:
    'Returns at once. A message that the lite servers reject is sent again every 5 seconds for a minute; the final outcome is not reported.',
  parameters: { boc: messageBoc() },
  maxBodyBytes: MESSAGE_BODY_BYTES,
  result: ResultOk,
  errors: [
    { code: 500, when: 'Not an external message' },
    { code: 503, when: 'Too many messages wait for a retry' },
  ],
  handler: ({ boc }, call) => {
    const message = readExternalMessage(readBag('body', boc));
    // Not the call itself, which would keep the request in memory for up to a minute.
    const { ports, group, usedServers, payer } = call;
    ports.resender.start(message, () => broadcastMessage({ ports, group, usedServers, payer }, message));
    return resultOk();
  },
});

export const sendQuery = defineV2Operation({
  name: 'sendQuery',
  ...SENDING,
  summary: 'Send an external message given in parts',
  description: 'The message is built from its parts and sent as by sendBoc.',
  parameters: messageParts(),
  maxBodyBytes: MESSAGE_BODY_BYTES,
  result: ResultOk,
  errors: [{ code: 500, when: 'Invalid bag of cells, or rejected by the lite servers' }],
  handler: async (parts, call) => {
    await sendExternalMessage(call, buildExternalMessage(readParts(parts)));
    return resultOk();
  },
});

export const sendQuerySimple = defineV2Operation({
  name: 'sendQuerySimple',
  ...SENDING,
  summary: 'Send an external message given in parts, with cells as objects',
  description:
    'Same as sendQuery, with cells as objects. Kept for older clients; new ones should use sendBoc.',
  parameters: messageCells(),
  maxBodyBytes: CELLS_BODY_BYTES,
  result: ResultOk,
  errors: [
    { code: 400, when: 'Invalid cell object' },
    { code: 500, when: 'Rejected by the lite servers' },
  ],
  handler: async (parts, call) => {
    await sendExternalMessage(call, buildExternalMessage(joinCells(parts)));
    return resultOk();
  },
});

export const sendCellSimple = defineV2Operation({
  name: 'sendCellSimple',
  ...SENDING,
  summary: 'Send an external message, with cells as objects',
  description:
    'Same as sendBoc, with the message as a cell object. Kept for older clients; new ones should use sendBoc.',
  parameters: {
    cell: cellObject({ description: 'External message.', refusal: 'Error while parsing cell' }),
  },
  maxBodyBytes: CELLS_BODY_BYTES,
  result: ResultOk,
  errors: [
    { code: 400, when: 'Invalid cell object' },
    { code: 500, when: 'Not an external message, or rejected by the lite servers' },
  ],
  handler: async ({ cell }, call) => {
    await forwardExternalMessage(call, cell);
    return resultOk();
  },
});
