import Type from 'typebox';
import type { CellBag } from '../chain/boc/bag.ts';
import { CellError } from '../chain/boc/cells.ts';
import { readRootBoc } from '../chain/boc/read-root-boc.ts';
import { readCellObject } from '../chain/stack/arguments.ts';
import type { ExternalParts } from '../chain/tlb/message.ts';
import { ShownAs, schemaRef } from '../http/named-schemas.ts';
import type { Parameter, ParameterInput, ParameterValues } from '../http/operation.ts';
import { Failure } from '../lib/errors.ts';
import { address, requireFriendlyForm } from './chain-parameters.ts';
import { bytes, givenValue, missingRefusal, optionalBytes } from './parameters.ts';

/** The network accepts messages of 64 kB; in base64, with code and data beside them, this is three of those. */
export const MESSAGE_BODY_BYTES = 256 * 1024;
/** Cells as objects take more room. */
export const CELLS_BODY_BYTES = 512 * 1024;

/** Declarations that all operations on external messages share. */
export const SENDING = { methods: ['POST'], tag: 'send', cache: 'none' } as const;

/** A message to send. */
export function messageBoc(): Parameter<Buffer> {
  return bytes({ description: 'External message as a bag of cells in base64.', nonEmpty: true });
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

/** A required cell as an object, with all cells below it. */
export function cellObject({
  description,
  refusal = REFUSAL,
}: {
  readonly description: string;
  readonly refusal?: string;
}): Parameter<CellBag> {
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

/** An optional cell as an object, with all cells below it. */
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
    body: bytes({ description: 'Body of the message as a bag of cells in base64.' }),
    init_code: optionalBytes('Code of the contract to deploy, as a bag of cells in base64.'),
    init_data: optionalBytes(INIT_DATA),
  };
}

/** An external message in parts, which are cells as objects. */
export function messageCells() {
  return {
    address: address(RECEIVER),
    body: cellObject({ description: 'Body of the message.' }),
    init_code: optionalCellObject('Code of the contract to deploy.'),
    init_data: optionalCellObject(INIT_DATA),
  };
}

/** Reads the parts of a message. */
export function readParts(parts: ParameterValues<ReturnType<typeof messageParts>>): ExternalParts {
  const { address, init_code: code, init_data: data } = parts;
  requireFriendlyForm(address);
  // The init first: its errors come before those of the body.
  const init = code && stateInit(readBag('init_code', code), data && readBag('init_data', data));
  return { to: address, body: readBag('body', parts.body), init };
}

/** Joins the parts of a message. */
export function joinCells(parts: ParameterValues<ReturnType<typeof messageCells>>): ExternalParts {
  const { address, body, init_code: code, init_data: data } = parts;
  requireFriendlyForm(address);
  return { to: address, body, init: stateInit(code, data) };
}

/** The init of a message; without code, data is ignored. */
function stateInit(code: CellBag | undefined, data: CellBag | undefined): ExternalParts['init'] {
  return code && { code, data: data ?? readBag('init_data', Buffer.alloc(0)) };
}
