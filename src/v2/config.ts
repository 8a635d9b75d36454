import Type from 'typebox';
import type { Cells } from '../chain/boc/cells.ts';
import { writeBoc } from '../chain/boc/writer.ts';
import { parseHash } from '../chain/hash.ts';
import { configParam } from '../chain/tlb/config.ts';
import {
  defineOperation,
  type Parameter,
  type ParameterInput,
  type ParameterOrigin,
} from '../http/operation.ts';
import { Failure } from '../lib/errors.ts';
import type { FoundLibrary } from '../lite/methods/libraries.ts';
import { readConfigAt } from '../live/config.ts';
import { readPublicLibraries } from '../live/libraries.ts';
import type { LiveCall } from '../live/session.ts';
import { masterchainSeqno } from './chain-parameters.ts';
import { getConfigAllExamples } from './examples/get-config-all.ts';
import { getConfigParamExamples } from './examples/get-config-param.ts';
import { getLibrariesExamples } from './examples/get-libraries.ts';
import { hash, optionalInt32, parseRefusal, restorePlus, validateRefusal } from './parameters.ts';
import { BocText, Hash256, TvmCell, tvmCell } from './shapes.ts';

/** `configInfo`: a part of the configuration, or all of it, as a cell. */
const ConfigInfo = Type.Object({ '@type': Type.Literal('configInfo'), config: TvmCell });

/** Writes `configInfo`; a cell of -1 is none. */
function configInfo(cells: Cells, cell: number) {
  return { '@type': 'configInfo' as const, config: tvmCell(cells, cell) };
}

/** A number of a configuration parameter, and where it was given. */
interface GivenIndex {
  readonly value: number;
  readonly origin: ParameterOrigin;
}

/** A number of a configuration parameter under one of its two names; `chooseIndex` takes the one that was given. */
function configIndex(description: string): Parameter<GivenIndex | undefined> {
  // The bound is documented here and checked by `chooseIndex`, whose text has the same name for both.
  const { schema, read, required } = optionalInt32({ description });
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

/** The number that was given: in a query string the old name wins where both are, in a body there must be one. */
function chooseIndex(param: GivenIndex | undefined, configId: GivenIndex | undefined): number {
  const given = configId ?? param;
  if (given === undefined || (configId !== undefined && param !== undefined && given.origin === 'body'))
    throw validateRefusal('only one of config_id or param should be specified');
  if (given.value < 0) throw validateRefusal('param should be non-negative');
  return given.value;
}

const NOT_ONE = 'failed to validate request: only one of config_id or param should be specified';

/** One parameter of the network's configuration. */
export const getConfigParam = defineOperation({
  name: 'getConfigParam',
  methods: ['GET', 'POST'],
  tag: 'config',
  summary: 'A parameter of the configuration',
  description: 'Name it by `param` or by `config_id`. A parameter that does not exist has empty `bytes`.',
  parameters: {
    param: configIndex('Number of the parameter.'),
    config_id: configIndex('The same under its old name.'),
    seqno: masterchainSeqno(),
  },
  result: ConfigInfo,
  cache: 'immutable',
  examples: [
    ...getConfigParamExamples,
    { title: 'no number', params: {}, failure: { code: 422, text: NOT_ONE } },
    {
      title: 'a negative number',
      params: { config_id: -5 },
      failure: { code: 422, text: 'failed to validate request: param should be non-negative' },
    },
    {
      title: 'not a number',
      params: { param: 'all' },
      failure: {
        code: 422,
        text: {
          query: 'failed to parse get request: failed to parse param',
          body: "failed to parse post request: Error at path 'param': failed to parse param",
        },
      },
    },
  ],
  handler: async ({ param, config_id, seqno }, call: LiveCall) => {
    const index = chooseIndex(param, config_id);
    const { cells, cell } = await readConfigAt(call, { seqno, params: [index] });
    call.immutable = seqno !== undefined;
    return configInfo(cells, configParam(cells, cell, index));
  },
});

/** The network's configuration. */
export const getConfigAll = defineOperation({
  name: 'getConfigAll',
  methods: ['GET', 'POST'],
  tag: 'config',
  summary: 'The whole configuration',
  description: 'The cell is the root of a dictionary of parameters by their signed 32-bit numbers.',
  parameters: { seqno: masterchainSeqno() },
  result: ConfigInfo,
  cache: 'immutable',
  examples: [
    ...getConfigAllExamples,
    {
      title: 'the block before the first one',
      params: { seqno: 0 },
      failure: { code: 422, text: 'failed to validate request: seqno should be positive' },
    },
  ],
  handler: async ({ seqno }, call: LiveCall) => {
    const { cells, cell } = await readConfigAt(call, { seqno });
    call.immutable = seqno !== undefined;
    return configInfo(cells, cell);
  },
});

/** `smc.libraryResult`: libraries in ascending order of their hashes. */
const LibraryResult = Type.Object({
  '@type': Type.Literal('smc.libraryResult'),
  result: Type.Array(
    Type.Object({ '@type': Type.Literal('smc.libraryEntry'), hash: Hash256(), data: BocText() }),
  ),
});

/** Writes `smc.libraryResult`. */
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

/** A list of 256-bit hashes: a repeated parameter in a query string, an array in a body. Left out, it is empty. */
function hashList(description: string, maxItems: number): Parameter<readonly Buffer[]> {
  return {
    schema: Type.Array(hash().schema, { maxItems }),
    description,
    required: false,
    read: (input) =>
      given(input).map((text) => {
        const parsed = typeof text === 'string' ? parseHash(restorePlus(text)) : undefined;
        if (parsed === undefined) throw parseRefusal(input, `failed to parse ${input.name}`);
        return parsed;
      }),
  };
}

function given(input: ParameterInput): readonly unknown[] {
  if (input.origin === 'query') return input.values.filter((value) => value !== '');
  const list = input.values[0] ?? [];
  if (!Array.isArray(list)) throw parseRefusal(input, `failed to parse ${input.name}`);
  return list;
}

const MAX_LIBRARIES = 16;
const TOO_MANY = `INVALID_FIELD: Field library_list has invalid value : too many libraries requested, ${MAX_LIBRARIES} maximum`;

/** Public libraries by their hashes. */
export const getLibraries = defineOperation({
  name: 'getLibraries',
  methods: ['GET', 'POST'],
  tag: 'config',
  summary: 'Public libraries by their hashes',
  description: 'In ascending order of their hashes. A library that does not exist is left out.',
  parameters: { libraries: hashList('Hashes of libraries; repeat it for several.', MAX_LIBRARIES) },
  result: LibraryResult,
  errors: [{ code: 500, when: `More than ${MAX_LIBRARIES} libraries, or a lite server failed` }],
  cache: 'immutable',
  examples: [
    ...getLibrariesExamples,
    {
      title: 'nothing',
      params: {},
      result: { '@type': 'smc.libraryResult', result: [] },
    },
    {
      title: 'not a hash',
      params: { libraries: ['zz'] },
      failure: {
        code: 422,
        text: {
          query: 'failed to parse get request: failed to parse libraries',
          body: "failed to parse post request: Error at path 'libraries': failed to parse libraries",
        },
      },
    },
  ],
  handler: async ({ libraries }, call: LiveCall) => {
    // Existing clients know this mistake by the code and the text of a failed lite server.
    if (libraries.length > MAX_LIBRARIES) throw new Failure('lite_server', TOO_MANY);
    const found = await readPublicLibraries(call, libraries);
    // What was found can never be another; what was not may be published later.
    call.immutable = libraries.every((wanted) => found.some(({ hash }) => hash.equals(wanted)));
    return libraryResult(found);
  },
});
