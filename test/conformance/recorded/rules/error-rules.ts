import type { Case, Outcome, Rule } from '../case.ts';

const PARSE = { get: 'failed to parse get request: ', post: 'failed to parse post request: ' };
const VALIDATE = 'failed to validate request: ';

/** Errors that have another text, or are found earlier, in the contract than in the recording. */
export const errorRules: readonly Rule[] = [
  errorRule('a malformed address is rejected with 422', '20', (want, testCase) => {
    const isMalformed =
      want.error === 'Incorrect address' ||
      /^Invalid base64-encoded string/.test(String(want.error)) ||
      /^INVALID_ACCOUNT_ADDRESS/.test(String(want.error)) ||
      String(testCase.params.address).startsWith('0:abcd');
    if (!isMalformed) return undefined;
    const name = testCase.params.source === undefined ? 'address' : 'source';
    if (testCase.transport === 'get' && testCase.operation.startsWith('getTransactions'))
      return [name, 'failed to parse address'];
    return [name, `Failed to parse ton_addr: '${testCase.params[name]}'`];
  }),
  errorRule('a missing parameter is named', '17', (want, testCase) => {
    const missing = MISSING.find(([pattern]) => pattern.test(testCase.name));
    if (missing === undefined || want.status === 200) return undefined;
    const [, name, inQuery] = missing;
    return { error: testCase.transport === 'get' ? inQuery : `${PARSE.post}Field '${name}' is missing` };
  }),
  errorRule('an invalid number is named', '17', (want, testCase) => {
    const found = /query -> (\w+)\n {2}value is not a valid integer|integer in parameter (\w+)/.exec(
      String(want.error),
    );
    const name = found?.[1] ?? found?.[2];
    if (name === undefined || testCase.name.endsWith('err_shard_hex')) return undefined;
    return [name, `failed to parse ${name}`];
  }),
  errorRule('an invalid hash is named', '17', (want, testCase) => {
    if (want.error !== 'Invalid hash') return undefined;
    const name = ['root_hash', 'after_hash', 'libraries', 'hash'].find((each) => each in testCase.params)!;
    return [name, `failed to parse ${name}`];
  }),
  errorRule('seqno is at least 1', '4.7', (_, testCase) =>
    Number(testCase.params.seqno) === 0 ? { error: `${VALIDATE}seqno should be positive` } : undefined,
  ),
  errorRule('a config parameter is not negative', '12.1', (_, testCase) =>
    testCase.params.config_id < 0 ? { error: `${VALIDATE}param should be non-negative` } : undefined,
  ),
  errorRule('lt and hash come together', '20', (_, testCase) =>
    testCase.operation.startsWith('getTransactions') && 'lt' in testCase.params && !testCase.params.hash
      ? { error: `${VALIDATE}lt and hash should be used together` }
      : undefined,
  ),
  errorRule('after_lt and after_hash come together', '20', (_, testCase) =>
    'after_lt' in testCase.params && !('after_hash' in testCase.params)
      ? { error: `${VALIDATE}after_lt and after_hash should be used together` }
      : undefined,
  ),
  errorRule('a block is looked up by exactly one key', '20', (_, testCase) =>
    testCase.operation === 'lookupBlock' &&
    ['seqno', 'lt', 'unixtime'].every((name) => !(name in testCase.params))
      ? { error: `${VALIDATE}exactly one of seqno, lt, unixtime should be specified` }
      : undefined,
  ),
  errorRule('base64 is parsed strictly', '4.4', (_, testCase) => {
    const name = ['boc', 'body'].find((each) => testCase.params[each] === '!!!');
    return name === undefined
      ? undefined
      : [name, 'invalid base64 encoded bytes: Wrong character in the string'];
  }),
  {
    name: 'not a token, with the address',
    kind: 'intended',
    where: '20',
    why: 'the newer service names the address',
    change: (want, { params }) =>
      want.error === 'Smart contract is not Jetton or NFT'
        ? { ...want, error: `Smart contract ${params.address} is not Jetton or NFT` }
        : undefined,
  },
  {
    name: 'a missing transaction is 404',
    kind: 'intended',
    where: '11.5',
    why: 'the search ends without an error where blocks are missing',
    change: (want, { operation, name }) =>
      operation.startsWith('tryLocate') && name.endsWith('err_unknown_lt') && want.status === 500
        ? { ...want, status: 404, error: 'transaction was not found' }
        : undefined,
  },
  byName('a list must be a tvm_stackEntryList', '13.2', /runGetMethod\.echo_list$/, {
    status: 422,
    error: 'Invalid tvm.List, valid tvm_stackEntryList expected',
  }),
  byName('a tuple must be a tvm_stackEntryTuple', '13.2', /runGetMethod\.echo_typed$/, {
    status: 422,
    error: 'Invalid tvm.Tuple, valid tvm_stackEntryTuple expected',
  }),
  byName('an unknown stack entry type is named', '0', /runGetMethod\.echo_null$/, {
    status: 542,
    error: 'Unsupported stack entry type: null',
  }),
  errorRule('a number must fit into 257 bits', '13.2', (_, { name, operation, params }) => {
    if (!/runGetMethod\.echo(?:\.bad_number|\.too_big|_num_toobig)$/.test(name)) return undefined;
    if (operation === 'runGetMethod') return { error: `Invalid number: ${params.stack[0][1]}` };
    return ['stack[0].number.number', 'Invalid number'];
  }),
  byName('JSON-RPC accepts only POST', '17', /^http\/jsonRPC\.err_GET$/, {
    status: 405,
    error: 'method GET is not supported',
  }),
  byName('an unsupported HTTP method is named', '1.2', /^http\/runGetMethod\.err_GET$/, {
    status: 405,
    error: 'unsupported http method: GET',
  }),
  byName('an unknown property is named', '1.4', /^http\/jsonRPC\.err_extra_param$/, {
    status: 422,
    error: `${PARSE.post}Error at path '/': Unknown property 'foo'`,
  }),
  byName('JSON-RPC without a method', '3', /^http\/jsonRPC\.err_no_method$/, {
    status: 422,
    error: `${PARSE.post}Field 'method' is missing`,
  }),
  byName('a body that is not JSON', '3', /err_not_json$/, {
    status: 422,
    error: `${PARSE.post}invalid JSON`,
  }),
  byName('a stack that is not an array', '0', /err_stack_text$/, {
    status: 422,
    error: 'Stack should be array',
  }),
];

/** Requests without a required parameter: its name, and the error text if it is missing in a query. */
const MISSING: readonly (readonly [RegExp, string, string])[] = [
  [/err_no_address$/, 'address', `${PARSE.get}Failed to parse ton_addr: ''`],
  [/err\.no_params$/, 'address', ''],
  [/getBlockTransactionsExt\.err_missing$/, 'shard', `${PARSE.get}failed to parse shard`],
  [/tryLocate\w+\.err_missing$/, 'destination', `${VALIDATE}empty destination address`],
  [/shards\.err_none$/, 'seqno', `${VALIDATE}seqno should be positive`],
  [/runGetMethod\.err_empty$/, 'address', ''],
  [/runGetMethod\.err_no_stack$/, 'stack', ''],
  [/sendBoc(?:ReturnHash)?\.err_empty$/, 'boc', ''],
];

/** A parameter with a detail that follows the prefix (and, for bodies, the path of the parameter); or the whole text. */
type Wording = readonly [name: string, detail: string] | { readonly error: string };

/** A rule for an error with status 422. */
function errorRule(
  name: string,
  where: string,
  word: (want: Outcome, testCase: Case) => Wording | undefined,
): Rule {
  return {
    name,
    kind: 'intended',
    where,
    why: 'the contract validates parameters first, with this error text',
    change: (want, testCase) => {
      const wording = word(want, testCase);
      if (wording === undefined) return undefined;
      const { result: _, ...rest } = want;
      return { ...rest, status: 422, error: textOf(wording, testCase) };
    },
  };
}

function textOf(wording: Wording, { transport }: Case): string {
  if ('error' in wording) return wording.error;
  const [name, detail] = wording;
  return transport === 'get' ? `${PARSE.get}${detail}` : `${PARSE.post}Error at path '${name}': ${detail}`;
}

function byName(name: string, where: string, pattern: RegExp, outcome: Outcome): Rule {
  return {
    name,
    kind: 'intended',
    where,
    why: 'the contract defines this error text',
    change: ({ result: _, ...want }, testCase) =>
      pattern.test(testCase.name) ? { ...want, ...outcome } : undefined,
  };
}
