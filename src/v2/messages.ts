import Type from 'typebox';
import type { CellBag } from '../chain/boc/bag.ts';
import { CellError } from '../chain/boc/cells.ts';
import { readRootBoc } from '../chain/boc/read-root-boc.ts';
import { readCellObject } from '../chain/stack/arguments.ts';
import type { ExternalParts } from '../chain/tlb/message.ts';
import { ShownAs, schemaRef } from '../http/named-schemas.ts';
import type { Parameter, ParameterInput, ParameterValues } from '../http/operation.ts';
import { Int64 } from '../http/serializer.ts';
import { Failure } from '../lib/errors.ts';
import {
  buildExternalMessage,
  type ExternalMessage,
  readExternalMessage,
} from '../live/external-messages.ts';
import { estimateFee as estimate, type FeeEstimate } from '../live/fees.ts';
import { broadcastMessage, forwardExternalMessage, sendExternalMessage } from '../live/send-messages.ts';
import { defineV2Operation } from './operation.ts';
import {
  address,
  bytes,
  givenValue,
  missingRefusal,
  optionalBytes,
  parseRefusal,
  requireFriendlyForm,
} from './parameters.ts';
import { Hash256, shapeOf, TonlibObject } from './shapes.ts';

/** The network accepts messages of 64 kB; in base64, with code and data beside them, this is three of those. */
export const MESSAGE_BODY_BYTES = 256 * 1024;
/** Cells as objects take more room. */
export const CELLS_BODY_BYTES = 512 * 1024;

export const SENDING = { methods: ['POST'], tag: 'send', cache: 'none' } as const;

export function messageBoc(): Parameter<Buffer> {
  return bytes('External message as a bag of cells in base64.', { nonEmpty: true });
}

/** Names of the parts of a message in tonlib's error texts. */
type BagName = 'body' | 'init_code' | 'init_data';

/** Reads a bag of cells of a request; an invalid one fails as in tonlib, with status 500. */
export function readBag(name: BagName, bytes: Buffer): CellBag {
  try {
    const bag = readRootBoc(bytes);
    // Only hashing shows whether Merkle cells are valid.
    bag.hashAll();
    return bag;
  } catch (error) {
    if (!(error instanceof CellError)) throw error;
    throw new Failure('lite_server', `INVALID_BAG_OF_CELLS: ${name}${error.message}`, { cause: error });
  }
}

const SCHEMA = Type.Object(
  {
    data: Type.Object({ b64: Type.String(), len: Type.Integer({ minimum: 0, maximum: 1023 }) }),
    refs: Type.Array(ShownAs(Type.Object({}), schemaRef('CellObject')), { maxItems: 4 }),
    special: Type.Optional(Type.Boolean({ description: 'False by default.' })),
  },
  { title: 'CellObject' },
);

const REFUSAL = 'Error while parsing cell object';

export function cellObject(description: string, refusal = REFUSAL): Parameter<CellBag> {
  return {
    schema: SCHEMA,
    description,
    required: true,
    read: (input) => {
      const cell = readCell(input, refusal);
      if (cell === undefined) throw missingRefusal(input);
      return cell;
    },
  };
}

export function optionalCellObject(description: string): Parameter<CellBag | undefined> {
  return { schema: SCHEMA, description, required: false, read: (input) => readCell(input, REFUSAL) };
}

function readCell(input: ParameterInput, refusal: string): CellBag | undefined {
  const given = givenValue(input);
  if (given === undefined) return undefined;
  const bag = readCellObject(given);
  // A pruned cell is not part of a message.
  if (bag === undefined || bag.levelMask(bag.root) !== 0)
    throw new Failure('bad_request', refusal, { details: { parameter: input.name } });
  return bag;
}

const RECEIVER = 'Address of the account that receives the message.';
const INIT_DATA = 'Data of the contract to deploy; only used together with init_code.';

/** An external message in parts, which are bags of cells. */
export function messageParts() {
  return {
    address: address(RECEIVER),
    body: bytes('Body of the message as a bag of cells in base64.'),
    init_code: optionalBytes('Code of the contract to deploy, as a bag of cells in base64.'),
    init_data: optionalBytes(INIT_DATA),
  };
}

/** An external message in parts, which are cells as objects. */
export function messageCells() {
  return {
    address: address(RECEIVER),
    body: cellObject('Body of the message.'),
    init_code: optionalCellObject('Code of the contract to deploy.'),
    init_data: optionalCellObject(INIT_DATA),
  };
}

export function readParts(parts: ParameterValues<ReturnType<typeof messageParts>>): ExternalParts {
  const { address, init_code: code, init_data: data } = parts;
  requireFriendlyForm(address);
  // The init first: its errors come before those of the body.
  const init = code && stateInit(readBag('init_code', code), data && readBag('init_data', data));
  return { to: address, body: readBag('body', parts.body), init };
}

export function joinCells(parts: ParameterValues<ReturnType<typeof messageCells>>): ExternalParts {
  const { address, body, init_code: code, init_data: data } = parts;
  requireFriendlyForm(address);
  return { to: address, body, init: stateInit(code, data) };
}

/** The init of a message; without code, data is ignored. */
function stateInit(code: CellBag | undefined, data: CellBag | undefined): ExternalParts['init'] {
  return code && { code, data: data ?? readBag('init_data', Buffer.alloc(0)) };
}

const ResultOk = TonlibObject('ok', 'ResultOk', {});

function resultOk() {
  return { '@type': 'ok' as const };
}

const extMessageInfo = shapeOf<ExternalMessage>()('raw.extMessageInfo', 'ExtMessageInfo', {
  hash: [Hash256(), ({ hash }) => hash.toString('base64')],
  hash_norm: [Hash256(), ({ normalizedHash }) => normalizedHash.toString('base64')],
});

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
  result: extMessageInfo.schema,
  errors: [{ code: 500, when: 'Not an external message, or rejected by the lite servers' }],
  handler: async ({ boc }, call) =>
    extMessageInfo.write(await sendExternalMessage(call, readBag('body', boc))),
});

export const sendBocReturnHashNoError = defineV2Operation({
  name: 'sendBocReturnHashNoError',
  ...SENDING,
  summary: 'Send an external message and get its hashes, failures with status 400',
  description: 'Same as sendBocReturnHash, but every failure of the message has status 400.',
  parameters: { boc: messageBoc() },
  maxBodyBytes: MESSAGE_BODY_BYTES,
  result: extMessageInfo.schema,
  errors: [{ code: 400, when: 'Not an external message, or rejected by the lite servers' }],
  handler: async ({ boc }, call) => {
    try {
      return extMessageInfo.write(await sendExternalMessage(call, readBag('body', boc)));
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
    cell: cellObject('External message.', 'Error while parsing cell'),
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

/** Whether signature checks succeed, by default true; accepts nothing but a JSON boolean. */
function ignoreSignature(): Parameter<boolean> {
  return {
    schema: Type.Boolean({ default: true }),
    description: 'Whether every signature check succeeds.',
    required: false,
    read: (input) => {
      const given = input.values[0] ?? true;
      if (typeof given !== 'boolean') throw parseRefusal(input, 'must be a boolean');
      return given;
    },
  };
}

const fees = shapeOf<FeeEstimate>()('fees', 'Fees', {
  in_fwd_fee: [Int64(), ({ importFee }) => importFee],
  storage_fee: [Int64(), ({ storageFee }) => storageFee],
  gas_fee: [Int64(), ({ gasFee }) => gasFee],
  fwd_fee: [Int64(), ({ forwardFee }) => forwardFee],
});

/** The fees of receivers are not estimated. */
const queryFees = shapeOf<FeeEstimate>()('query.fees', 'QueryFees', {
  source_fees: [fees.schema, fees.write],
  destination_fees: [Type.Array(fees.schema), () => []],
});

export const estimateFee = defineV2Operation({
  name: 'estimateFee',
  ...SENDING,
  predicts: true,
  summary: 'Estimate the fees of an external message',
  description:
    'Runs the contract on the message at the newest block. `gas_fee` and `fwd_fee` are 0 if the contract does not accept the message, for example because of a wrong seqno; `gas_fee` is the minimum if the account cannot pay for any gas. Fees of the receivers of its messages are not estimated.',
  parameters: { ...messageParts(), ignore_chksig: ignoreSignature() },
  maxBodyBytes: MESSAGE_BODY_BYTES,
  ignoreUnknownProperties: true,
  result: queryFees.schema,
  errors: [{ code: 500, when: 'Invalid bag of cells, or the fees cannot be estimated' }],
  handler: async ({ ignore_chksig: ignoreSignature, ...parts }, call) =>
    queryFees.write(await estimate(call, { ...readParts(parts), ignoreSignature })),
});

export const estimateFeeSimple = defineV2Operation({
  name: 'estimateFeeSimple',
  ...SENDING,
  predicts: true,
  summary: 'Estimate the fees of an external message, with cells as objects',
  description: 'Same as estimateFee, with cells as objects. Kept for older clients.',
  parameters: { ...messageCells(), ignore_chksig: ignoreSignature() },
  maxBodyBytes: CELLS_BODY_BYTES,
  result: queryFees.schema,
  errors: [
    { code: 400, when: 'Invalid cell object' },
    { code: 500, when: 'The fees cannot be estimated' },
  ],
  handler: async ({ ignore_chksig: ignoreSignature, ...parts }, call) =>
    queryFees.write(await estimate(call, { ...joinCells(parts), ignoreSignature })),
});
