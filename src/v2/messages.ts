import Type from 'typebox';
import { defineOperation } from '../http/operation.ts';
import { Failure } from '../lib/errors.ts';
import {
  buildExternalMessage,
  type ExternalMessage,
  readExternalMessage,
} from '../live/external-messages.ts';
import { broadcastMessage, sendExternalMessage } from '../live/send-messages.ts';
import type { LiveCall } from '../live/session.ts';
import { address, requireFriendlyForm, WORKCHAIN_OUT_OF_RANGE } from './chain-parameters.ts';
import { sendBocExamples } from './examples/send-boc.ts';
import { sendBocReturnHashExamples } from './examples/send-boc-return-hash.ts';
import { sendBocReturnHashNoErrorExamples } from './examples/send-boc-return-hash-no-error.ts';
import { sendBocUnsafeExamples } from './examples/send-boc-unsafe.ts';
import { sendCellSimpleExamples } from './examples/send-cell-simple.ts';
import { sendQueryExamples } from './examples/send-query.ts';
import { sendQuerySimpleExamples } from './examples/send-query-simple.ts';
import {
  cellObject,
  messageBoc,
  optionalCellObject,
  readBag,
  readStateInit,
  stateInit,
} from './message-parameters.ts';
import { bytes, optionalBytes } from './parameters.ts';
import { Hash256 } from './shapes.ts';

/** `ok`: a message was taken by at least one lite server. */
const ResultOk = Type.Object({ '@type': Type.Literal('ok') });

/** Writes `ok`. */
function resultOk() {
  return { '@type': 'ok' as const };
}

/** `raw.extMessageInfo`: the hashes by which a message can be found. */
const ExtMessageInfo = Type.Object({
  '@type': Type.Literal('raw.extMessageInfo'),
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

/** Sends a message. */
export const sendBoc = defineOperation({
  name: 'sendBoc',
  methods: ['POST'],
  tag: 'send',
  summary: 'Send a message',
  description:
    'The message goes to several lite servers. Success means that at least one took it, not that it is in a block.',
  parameters: { boc: messageBoc() },
  ignoreUnknownProperties: true,
  result: ResultOk,
  errors: [{ code: 500, when: 'no message, or one that the lite servers refuse, with their reason' }],
  cache: 'none',
  examples: [
    ...sendBocExamples,
    {
      title: 'no message',
      params: { boc: '' },
      failure: { code: 422, text: 'failed to validate request: empty boc' },
    },
    {
      title: 'not base64',
      params: { boc: '!!!' },
      failure: {
        code: 422,
        text: "failed to parse post request: Error at path 'boc': invalid base64 encoded bytes: Wrong character in the string",
      },
    },
    {
      title: 'not a bag of cells',
      params: { boc: 'AAAA' },
      failure: {
        code: 500,
        text: 'INVALID_BAG_OF_CELLS: bodycannot deserialize bag-of-cells: not enough bytes (3 present, 10 required)',
      },
    },
  ],
  handler: async ({ boc }, call: LiveCall) => {
    await sendExternalMessage(call, readBag('body', boc));
    return resultOk();
  },
});

/** Sends a message and tells its hashes. */
export const sendBocReturnHash = defineOperation({
  name: 'sendBocReturnHash',
  methods: ['POST'],
  tag: 'send',
  summary: 'Send a message and get its hashes',
  description:
    'As sendBoc. `hash` is that of the message as it was sent, `hash_norm` that of its normal form (TEP-467), which is the same however the message was packed.',
  parameters: { boc: messageBoc() },
  ignoreUnknownProperties: true,
  result: ExtMessageInfo,
  errors: [{ code: 500, when: 'no message, or one that the lite servers refuse, with their reason' }],
  cache: 'none',
  examples: [
    ...sendBocReturnHashExamples,
    {
      title: 'no message',
      params: {},
      failure: { code: 422, text: "failed to parse post request: Field 'boc' is missing" },
    },
  ],
  handler: async ({ boc }, call: LiveCall) =>
    extMessageInfo(await sendExternalMessage(call, readBag('body', boc))),
});

/** Sends a message and tells its hashes; a refusal has another status. */
export const sendBocReturnHashNoError = defineOperation({
  name: 'sendBocReturnHashNoError',
  methods: ['POST'],
  tag: 'send',
  summary: 'Send a message and get its hashes, refusals as status 400',
  description:
    'As sendBocReturnHash, but whatever goes wrong with the message is reported with a status of 400.',
  parameters: { boc: messageBoc() },
  result: ExtMessageInfo,
  errors: [{ code: 400, when: 'no message, or one that the lite servers refuse, with their reason' }],
  cache: 'none',
  examples: [
    ...sendBocReturnHashNoErrorExamples,
    {
      title: 'not a bag of cells',
      params: { boc: 'AAAA' },
      failure: {
        code: 400,
        text: 'INVALID_BAG_OF_CELLS: bodycannot deserialize bag-of-cells: not enough bytes (3 present, 10 required)',
      },
    },
  ],
  handler: async ({ boc }, call: LiveCall) => {
    try {
      return extMessageInfo(await sendExternalMessage(call, readBag('body', boc)));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      throw new Failure('bad_request', error.message, { cause: error });
    }
  },
});

/** Sends a message until it is taken. */
export const sendBocUnsafe = defineOperation({
  name: 'sendBocUnsafe',
  methods: ['POST'],
  tag: 'send',
  summary: 'Send a message again and again until it is taken',
  description:
    'Answers at once. A message that the lite servers refuse is sent again every 5 seconds for a minute; nobody is told whether it was taken in the end.',
  parameters: { boc: messageBoc() },
  result: ResultOk,
  errors: [
    { code: 500, when: 'no message' },
    { code: 503, when: 'too many messages wait to be sent again' },
  ],
  cache: 'none',
  examples: [
    ...sendBocUnsafeExamples,
    {
      title: 'no message',
      params: { boc: '' },
      failure: { code: 422, text: 'failed to validate request: empty boc' },
    },
  ],
  handler: ({ boc }, call: LiveCall) => {
    const message = readExternalMessage(readBag('body', boc));
    // Not the whole call, which holds the request: this may go on for a minute.
    const { ports, group, usedServers: bound, payer } = call;
    ports.resender.start(message, () =>
      broadcastMessage({ ports, group, usedServers: bound, payer }, message),
    );
    return resultOk();
  },
});

/** Makes a message of its parts and sends it. */
export const sendQuery = defineOperation({
  name: 'sendQuery',
  methods: ['POST'],
  tag: 'send',
  summary: 'Send a message that is given in parts',
  description: 'The message is put together here and sent as by sendBoc.',
  parameters: {
    address: address('Address of the account that gets the message.'),
    body: bytes({ description: 'Body of the message as a bag of cells in base64.' }),
    init_code: optionalBytes('Code of a contract to be deployed, as a bag of cells in base64.'),
    init_data: optionalBytes('Data of a contract to be deployed; goes with its code.'),
  },
  result: ResultOk,
  errors: [
    { code: 500, when: 'no bag of cells, or a message that the lite servers refuse, with their reason' },
  ],
  cache: 'none',
  examples: [
    ...sendQueryExamples,
    {
      title: 'a body that is not a bag of cells',
      params: { address: 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N', body: '' },
      failure: {
        code: 500,
        text: 'INVALID_BAG_OF_CELLS: bodycannot deserialize bag-of-cells: not enough bytes (0 present, 10 required)',
      },
    },
    {
      title: 'a workchain that no message can go to',
      params: {
        address: '300:83dfd552e63729b472fcbcc8c45ebcc6691702558b68ec7527e1ba403a0f31a8',
        body: 'te6cckEBAQEAAgAAAEysuc0=',
      },
      failure: { code: 422, text: WORKCHAIN_OUT_OF_RANGE },
    },
  ],
  handler: async ({ address, body, init_code, init_data }, call: LiveCall) => {
    requireFriendlyForm(address);
    const init = readStateInit(init_code, init_data);
    await sendExternalMessage(call, buildExternalMessage({ to: address, body: readBag('body', body), init }));
    return resultOk();
  },
});

/** Makes a message of parts that are spelled out and sends it. */
export const sendQuerySimple = defineOperation({
  name: 'sendQuerySimple',
  methods: ['POST'],
  tag: 'send',
  summary: 'Send a message that is given in parts, spelled out',
  description: 'As sendQuery, with cells as objects. Older clients call it; new ones do better with sendBoc.',
  parameters: {
    address: address('Address of the account that gets the message.'),
    body: cellObject({ description: 'Body of the message.' }),
    init_code: optionalCellObject('Code of a contract to be deployed.'),
    init_data: optionalCellObject('Data of a contract to be deployed; goes with its code.'),
  },
  result: ResultOk,
  errors: [
    { code: 400, when: 'a cell object that is none' },
    { code: 500, when: 'a message that the lite servers refuse, with their reason' },
  ],
  cache: 'none',
  examples: [
    ...sendQuerySimpleExamples,
    {
      title: 'a body that is no cell',
      params: { address: 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N', body: { data: 'te6cck' } },
      failure: { code: 400, text: 'Error while parsing cell object' },
    },
  ],
  handler: async ({ address, body, init_code, init_data }, call: LiveCall) => {
    requireFriendlyForm(address);
    await sendExternalMessage(
      call,
      buildExternalMessage({ to: address, body, init: stateInit(init_code, init_data) }),
    );
    return resultOk();
  },
});

/** Sends a message that is spelled out. */
export const sendCellSimple = defineOperation({
  name: 'sendCellSimple',
  methods: ['POST'],
  tag: 'send',
  summary: 'Send a message that is spelled out',
  description:
    'As sendBoc, with the message as a cell object. Older clients call it; new ones do better with sendBoc.',
  parameters: {
    cell: cellObject({ description: 'Message from outside.', refusal: 'Error while parsing cell' }),
  },
  result: ResultOk,
  errors: [
    { code: 400, when: 'a cell object that is none' },
    { code: 500, when: 'no message, or one that the lite servers refuse, with their reason' },
  ],
  cache: 'none',
  examples: [
    ...sendCellSimpleExamples,
    {
      title: 'not a cell',
      params: { cell: { data: { b64: 'AAAA', len: 25 }, refs: [] } },
      failure: { code: 400, text: 'Error while parsing cell' },
    },
    {
      title: 'a cell that is no message',
      params: { cell: { data: { b64: '', len: 0 }, refs: [] } },
      failure: { code: 500, text: 'Failed to unpack Message' },
    },
  ],
  handler: async ({ cell }, call: LiveCall) => {
    await sendExternalMessage(call, cell);
    return resultOk();
  },
});
