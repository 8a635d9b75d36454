import { Address } from '@ton/core';
import { type Case, type NotOffered, type Outcome, postTo } from './case.ts';
import { type Json, recordedAddress, type TonlibFile } from './recorded-files.ts';
import {
  accountAsContract,
  blockTransactionsAsContract,
  blockTransactionsExtAsContract,
  classicResult,
  dnsAsContract,
  extendedAccountAsContract,
  transactionsDecoded,
} from './tonlib-as-contract.ts';

const HEAD_SEQNO = 125;
/** A lite server, and so tonlib, returns at most this many transactions at once. */
const MAX_TRANSACTIONS_PER_QUERY = 16;
const ALL_CATEGORIES = Buffer.alloc(32).toString('base64');
const NO_OPERATION = 'no operation of v2 for this function of tonlib';

/** A request to an operation. */
interface OperationCall {
  readonly operation: string;
  readonly params: Record<string, Json>;
  /** Converts the recorded result to the form of the contract. */
  readonly result?: (response: Json) => Json;
  readonly view?: (result: Json) => Json;
  /** The status of an error. */
  readonly failure?: number;
}

/** Recorded tonlib calls as requests to the corresponding operations. */
export function tonlibCases(files: ReadonlyMap<string, TonlibFile>): (Case | NotOffered)[] {
  return [...files.values()].flatMap((file): (Case | NotOffered)[] => {
    const calls = toOperationCalls(file);
    if (typeof calls === 'string') {
      return [{ name: `tonlib/${file.name}`, function: functionOf(file.request), why: calls }];
    }
    return calls.map(({ operation, params, result, view, failure }) => ({
      name: `tonlib/${file.name}`,
      source: 'tonlib' as const,
      operation,
      params,
      transport: 'post' as const,
      request: postTo(operation, params),
      want: outcomeOf(file.response, result, failure),
      ...(view !== undefined && { view }),
    }));
  });
}

/** tonlib errors are returned with status 500. */
function outcomeOf(response: Json, result: OperationCall['result'], failure = 500): Outcome {
  if (response['@type'] === 'error') return { status: failure, error: response.message };
  return { status: 200, result: result === undefined ? response : result(response) };
}

function functionOf(request: Json): string {
  if (Array.isArray(request)) return functionOf(request.at(-1));
  return request['@type'] === 'withBlock' ? functionOf(request.function) : request['@type'];
}

function toOperationCalls({ name, request, account }: TonlibFile): OperationCall[] | string {
  const requests: Json[] = Array.isArray(request) ? request : [request];
  const [first] = requests;
  const inner = first['@type'] === 'withBlock' ? first.function : first;
  const block = first['@type'] === 'withBlock' ? first.id : undefined;
  if (block !== undefined && block.seqno > HEAD_SEQNO) return 'operations take a seqno, not a block id';
  // The last recorded block is the head, so its seqno can be left out.
  const at = block === undefined || block.seqno === HEAD_SEQNO ? {} : { seqno: block.seqno };
  const one = (
    operation: string,
    params: OperationCall['params'],
    more: Partial<OperationCall> = {},
  ): OperationCall[] => [{ operation, params, ...more }];
  const address = inner.account_address?.account_address;
  const id = inner.id ?? {};
  const { workchain, shard, seqno, root_hash, file_hash } = id;

  switch (inner['@type']) {
    case 'raw.getAccountState':
      return one(
        'getAddressInformation',
        { ...(address !== undefined && { address }), ...at },
        { result: accountAsContract },
      );
    case 'getAccountState':
      return one('getExtendedAddressInformation', { address, ...at }, { result: extendedAccountAsContract });
    case 'getShardAccountCell':
      return one('getShardAccountCell', { address, ...at });
    case 'raw.getTransactions':
    case 'raw.getTransactionsV2': {
      const { lt, hash } = inner.from_transaction_id;
      const limit = Math.min(inner.count ?? 10, MAX_TRANSACTIONS_PER_QUERY);
      const decode = inner.try_decode_messages === false && { result: transactionsDecoded };
      return one('getTransactionsStd', { address, lt, hash, limit }, { ...decode });
    }
    case 'blocks.getTransactions':
    case 'blocks.getTransactionsExt': {
      if (inner.mode & 64) return 'transactions of a block are not offered in reverse order';
      const { account: after, lt } = inner.after ?? { account: '', lt: 0 };
      const paging = Number(lt) === 0 ? {} : { after_lt: lt, after_hash: after };
      const params = { workchain, shard, seqno, root_hash, file_hash, count: inner.count, ...paging };
      return inner['@type'] === 'blocks.getTransactions'
        ? one('getBlockTransactions', params, { result: blockTransactionsAsContract })
        : one('getBlockTransactionsExt', params, { result: blockTransactionsExtAsContract });
    }
    case 'blocks.getMasterchainInfo':
      return one('getMasterchainInfo', {});
    case 'blocks.getMasterchainBlockSignatures':
      return one('getMasterchainBlockSignatures', { seqno: inner.seqno });
    case 'blocks.getShardBlockProof':
      return one('getShardBlockProof', {
        workchain,
        shard,
        seqno,
        ...(inner.from !== undefined && { from_seqno: inner.from.seqno }),
      });
    case 'blocks.lookupBlock': {
      const by = { 1: { seqno }, 2: { lt: inner.lt }, 4: { unixtime: inner.utime } }[inner.mode as number];
      return one('lookupBlock', { workchain, shard, ...by });
    }
    case 'blocks.getShards':
      return one('getShards', { seqno });
    case 'blocks.getBlockHeader':
      return one('getBlockHeader', { workchain, shard, seqno, root_hash, file_hash });
    case 'blocks.getOutMsgQueueSizes':
      return inner.mode === 0 ? one('getOutMsgQueueSize', {}) : 'queue sizes are not offered for one shard';
    case 'getConfigParam':
      return inner.mode === 0
        ? one('getConfigParam', { param: inner.param, ...at })
        : 'the mode of a config query is not offered';
    case 'getConfigAll':
      return one('getConfigAll', at);
    case 'smc.getLibraries':
      return one('getLibraries', { libraries: inner.library_list });
    case 'dns.resolve':
      return dnsCall(inner, at);
    case 'smc.load':
      return getMethodCalls(inner, requests[1], at);
    case 'smc.getCode':
    case 'smc.getData': {
      const member = inner['@type'] === 'smc.getCode' ? 'code' : 'data';
      const view = (result: Json): Json => ({ '@type': 'tvm.cell', bytes: result[member] });
      return one('getAddressInformation', { address: recordedAddress(account ?? lastPart(name)) }, { view });
    }
    case 'smc.getRawFullAccountState':
      return one(
        'getAddressInformation',
        { address: recordedAddress(lastPart(name)) },
        { result: accountAsContract },
      );
    case 'raw.createQuery':
      return one('estimateFee', {
        address: inner.destination.account_address,
        body: inner.body,
        init_code: inner.init_code,
        init_data: inner.init_data,
        ...(requests[1] !== undefined && { ignore_chksig: requests[1].ignore_chksig }),
      });
    case 'raw.sendMessage':
      return one('sendBoc', { boc: inner.body });
    case 'raw.sendMessageReturnHash':
      return [
        ...one('sendBocReturnHash', { boc: inner.body }),
        ...one('sendBocReturnHashNoError', { boc: inner.body }, { failure: 400 }),
      ];
    case 'packAccountAddress': {
      const { workchain_id, bounceable, testnet, addr } = inner.account_address;
      const parsed = new Address(workchain_id, Buffer.from(addr, 'base64'));
      const given = parsed.toString({ urlSafe: false, bounceable, testOnly: testnet });
      return one('packAddress', { address: given }, { result: (response) => response.account_address });
    }
    case 'unpackAccountAddress':
      return one('detectAddress', { address: inner.account_address }, { view: asUnpacked });
    default:
      return NO_OPERATION;
  }
}

function lastPart(name: string): string {
  return name.split('.').at(-1)!;
}

function asUnpacked({ raw_form, given_type, test_only }: Json): Json {
  const [workchain, hash] = raw_form.split(':');
  return {
    '@type': 'unpackedAccountAddress',
    workchain_id: Number(workchain),
    bounceable: given_type === 'friendly_bounceable',
    testnet: test_only,
    addr: Buffer.from(hash, 'hex').toString('base64'),
  };
}

function dnsCall(inner: Json, at: { seqno?: number }): OperationCall[] | string {
  const given = inner.account_address?.account_address;
  if (given === undefined && at.seqno !== undefined)
    return 'the root resolver is not taken from the config: a resolver must be given';
  const { name, category, ttl } = inner;
  // tonlib appends a dot to the name unless it finds the root itself; this resolver only has the name with a dot.
  if (given === undefined && name === 'alice.xyz') return 'names are always resolved with a dot at the end';
  const params = {
    address: given ?? recordedAddress('dns_root'),
    name,
    ttl,
    ...at,
    ...(category !== ALL_CATEGORIES && { category }),
  };
  return [{ operation: 'dnsResolve', params, result: dnsAsContract }];
}

function getMethodCalls(load: Json, run: Json, at: { seqno?: number }): OperationCall[] {
  const { account_address: address } = load.account_address;
  const { method, stack } = run;
  const params = { address, method: method.name ?? method.number, stack, ...at };
  const typed = { operation: 'runGetMethodStd', params };
  const hasClassicForm = stack.every((entry: Json) => entry['@type'] !== 'tvm.stackEntryUnsupported');
  if (!hasClassicForm) return [typed];
  return [
    typed,
    {
      operation: 'runGetMethod',
      params: { ...params, stack: stack.map(asClassicArgument) },
      result: classicResult,
      view: ({ block_id: _, last_transaction_id: __, ...result }) => result,
    },
  ];
}

function asClassicArgument(entry: Json): Json {
  switch (entry['@type']) {
    case 'tvm.stackEntryNumber':
      return ['num', entry.number.number];
    case 'tvm.stackEntryCell':
      return ['tvm.Cell', entry.cell.bytes];
    case 'tvm.stackEntrySlice':
      return ['tvm.Slice', entry.slice.bytes];
    case 'tvm.stackEntryTuple':
      return ['tuple', entry.tuple];
    case 'tvm.stackEntryList':
      return ['list', entry.list];
    default:
      throw new Error(`No classic form of ${entry['@type']}`);
  }
}
