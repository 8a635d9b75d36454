import Type from 'typebox';
import type { Cells } from '../chain/boc/cells.ts';
import { writeBoc } from '../chain/boc/writer.ts';
import { parseHash } from '../chain/hash.ts';
import { configParam } from '../chain/tlb/config.ts';
import type { Parameter, ParameterInput, ParameterOrigin } from '../http/operation.ts';
import { Failure } from '../lib/errors.ts';
import type { FoundLibrary } from '../lite/methods/libraries.ts';
import { readConfigAt } from '../live/config.ts';
import { readPublicLibraries } from '../live/libraries.ts';
import { defineV2Operation } from './operation.ts';
import {
  hash,
  masterchainSeqno,
  optionalInt32,
  parseRefusal,
  restorePlus,
  validateRefusal,
} from './parameters.ts';
import { BocText, Hash256, TonlibObject, TvmCell, tvmCell } from './shapes.ts';

const ConfigInfo = TonlibObject('configInfo', 'ConfigInfo', { config: TvmCell });

/** Writes `configInfo`; -1 means no cell. */
function configInfo(cells: Cells, cell: number) {
  return { '@type': 'configInfo' as const, config: tvmCell(cells, cell) };
}

interface GivenIndex {
  readonly value: number;
  readonly origin: ParameterOrigin;
}

/** The number of a config param under one of its two names; `chooseIndex` takes the one that was given. */
function configIndex(description: string): Parameter<GivenIndex | undefined> {
  // The minimum is documented here and checked by `chooseIndex`, whose error text has the same name for both.
  const { schema, read, required } = optionalInt32(description, {});
  return {
    schema: { ...schema, minimum: 0 },
    description,
    required,
    read: (input) => {
      const value = read(input);
      return value === undefined ? undefined : { value, origin: input.origin };
    },
  };
}

/** The number that was given: in a query string the old name wins if both are there, in a body only one may be. */
function chooseIndex(param: GivenIndex | undefined, configId: GivenIndex | undefined): number {
  const given = configId ?? param;
  if (given === undefined || (configId !== undefined && param !== undefined && given.origin === 'body'))
    throw validateRefusal('only one of config_id or param should be specified');
  if (given.value < 0) throw validateRefusal('param should be non-negative');
  return given.value;
}

export const getConfigParam = defineV2Operation({
  name: 'getConfigParam',
  tag: 'config',
  summary: 'Get a config param',
  description: 'Select it with `param` or `config_id`. A param that does not exist has empty `bytes`.',
  parameters: {
    param: configIndex('Number of the config param.'),
    config_id: configIndex('Old name of `param`.'),
    seqno: masterchainSeqno(),
  },
  result: ConfigInfo,
  cache: 'immutable',
  handler: async ({ param, config_id, seqno }, call) => {
    const index = chooseIndex(param, config_id);
    const { cells, cell } = await readConfigAt(call, { seqno, params: [index] });
    call.immutable = seqno !== undefined;
    return configInfo(cells, configParam(cells, cell, index));
  },
});

export const getConfigAll = defineV2Operation({
  name: 'getConfigAll',
  tag: 'config',
  summary: 'Get the whole config',
  description: 'The cell is the root of a dictionary of config params by their signed 32-bit numbers.',
  parameters: { seqno: masterchainSeqno() },
  result: ConfigInfo,
  cache: 'immutable',
  handler: async ({ seqno }, call) => {
    const { cells, cell } = await readConfigAt(call, { seqno });
    call.immutable = seqno !== undefined;
    return configInfo(cells, cell);
  },
});

/** `smc.libraryResult`: libraries in ascending order of their hashes. */
const LibraryResult = TonlibObject('smc.libraryResult', 'LibraryResult', {
  result: Type.Array(TonlibObject('smc.libraryEntry', 'LibraryEntry', { hash: Hash256(), data: BocText() })),
});

function libraryResult(libraries: readonly FoundLibrary[]) {
  return {
    '@type': 'smc.libraryResult' as const,
    result: libraries.map(({ hash, cells, cell }) => ({
      '@type': 'smc.libraryEntry' as const,
      hash: hash.toString('base64'),
      // Unlike all other cells of v2, libraries come without a checksum.
      data: writeBoc({ cells, roots: [cell] }, { order: 'tonlib', crc: false }).toString('base64'),
    })),
  };
}

/** A list of 256-bit hashes: a repeated parameter in a query string, an array in a body; empty when left out. */
function hashList(description: string, maxItems: number): Parameter<readonly Buffer[]> {
  return {
    schema: Type.Array(hash().schema, { maxItems }),
    description,
    required: false,
    read: (input) =>
      givenHashes(input).map((text) => {
        const parsed = typeof text === 'string' ? parseHash(restorePlus(text)) : undefined;
        if (parsed === undefined) throw parseRefusal(input, `failed to parse ${input.name}`);
        return parsed;
      }),
  };
}

function givenHashes(input: ParameterInput): readonly unknown[] {
  if (input.origin === 'query') return input.values.filter((value) => value !== '');
  const list = input.values[0] ?? [];
  if (!Array.isArray(list)) throw parseRefusal(input, `failed to parse ${input.name}`);
  return list;
}

const MAX_LIBRARIES = 16;
const TOO_MANY = `INVALID_FIELD: Field library_list has invalid value : too many libraries requested, ${MAX_LIBRARIES} maximum`;

export const getLibraries = defineV2Operation({
  name: 'getLibraries',
  tag: 'config',
  summary: 'Get public libraries by their hashes',
  description: 'In ascending order of their hashes. A library that does not exist is left out.',
  parameters: { libraries: hashList('Hash of a library; may be repeated.', MAX_LIBRARIES) },
  result: LibraryResult,
  errors: [{ code: 500, when: `More than ${MAX_LIBRARIES} libraries, or a lite server failed` }],
  cache: 'immutable',
  handler: async ({ libraries }, call) => {
    // By contract this error has the code and text of a failed lite server.
    if (libraries.length > MAX_LIBRARIES) throw new Failure('lite_server', TOO_MANY);
    const matches = await readPublicLibraries(call, libraries);
    // A library that was found never changes; one that was not may be published later.
    call.immutable = libraries.every((wanted) => matches.some(({ hash }) => hash.equals(wanted)));
    return libraryResult(matches);
  },
});
