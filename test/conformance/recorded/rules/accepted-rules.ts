import { beginCell, Cell } from '@ton/core';
import type { Outcome, Recorded, Rule } from '../case.ts';
import type { Json } from '../recorded-files.ts';
import { cellWithObject } from '../tonlib-as-contract.ts';
import { masterchainInfoAtHead } from './time-rules.ts';

/** Requests that were rejected, but that we accept; the expected result follows from other recorded responses. */
export const acceptedRules: readonly Rule[] = [
  accepted(
    'a shard id in hex is accepted',
    '4.6',
    /^http\/getBlockTransactions\.err_shard_hex$/,
    ({ want }) => want('http/getBlockTransactions.with_hashes_hex').result,
  ),
  accepted(
    'up to 1000 transactions are returned',
    '20',
    /getTransactions\.err_limit101$/,
    ({ want }) => want('http/jsonRPC.getTransactions.err_limit101').result,
  ),
  accepted('a batch is accepted', '3', /^http\/jsonRPC\.err_array$/, ({ want }) => {
    const { id, jsonrpc, result } = want('http/jsonRPC.no_params');
    return [{ status: 200, id, jsonrpc, result: masterchainInfoAtHead(result) }];
  }),
  accepted('an empty list of libraries is accepted', '12.3', /getLibraries\.err_none$/, () => ({
    '@type': 'smc.libraryResult',
    result: [],
  })),
  accepted(
    'a cell object without `special` is ordinary',
    '16',
    /^http\/estimateFeeSimple$/,
    ({ want }) => want('tonlib/estimateFees.probe_external#estimateFee').result,
  ),
  accepted('values without a classic form are unsupported', '20', /runGetMethod\.kinds$/, ({ want }) => {
    const { block_id, last_transaction_id } = want('http/runGetMethod.echo_cell').result;
    return { ...want('tonlib/runGetMethod.kinds#runGetMethod').result, block_id, last_transaction_id };
  }),
  accepted(
    'a slice in base64 is accepted',
    '13.2',
    /runGetMethod\.wallet_address_slice_old$/,
    ({ want }) => want('http/runGetMethod.wallet_address_slice').result,
  ),
  accepted('a cell object is accepted', '13.2', /runGetMethod\.echo_cell_obj$/, ({ want }) => {
    const cell = beginCell().storeUint(0b1010, 4).endCell();
    const bytes = cell.toBoc({ idx: false, crc32: true }).toString('base64');
    return { ...want('http/runGetMethod.echo_cell').result, stack: [['cell', cellWithObject(bytes)]] };
  }),
  accepted(
    'a numeric method is a method id',
    '13.1',
    /runGetMethod\.seqno_by_id(?:_text)?$/,
    ({ want }) => want('http/runGetMethod.seqno').result,
  ),
  accepted('a token URI may contain non-ASCII characters', '7.7', /getTokenData\.nft_item2$/, ({ want }) => {
    const [init, index, , owner, content] = want('tonlib/runGetMethod.get_nft_data.item2#runGetMethodStd')
      .result.stack;
    const own = Cell.fromBase64(content.cell.bytes).beginParse();
    const { content: collectionContent, ...item } = want('http/getTokenData.nft_item0').result;
    return {
      ...item,
      init: init.number.number !== '0',
      index: Number(index.number.number),
      owner_address: Cell.fromBase64(owner.slice.bytes).beginParse().loadAddress().toString(),
      content: {
        ...collectionContent,
        data: `https://example.com/nft/${own.loadBuffer(own.remainingBits / 8).toString('utf8')}`,
      },
    };
  }),
  accepted('hex numbers are accepted', '13.3', /^tonlib\/runGetMethod\.echo\.hex$/, ({ want }, operation) => {
    const text = JSON.stringify(want(`tonlib/runGetMethod.echo.int#${operation}`).result);
    return JSON.parse(text.replace(/"-?(?:0x)?[0-9a-f]+"/, operation === 'runGetMethod' ? '"0x10"' : '"16"'));
  }),
];

function accepted(
  name: string,
  where: string,
  pattern: RegExp,
  result: (recorded: Recorded, operation: string) => Json,
): Rule {
  return {
    name,
    kind: 'intended',
    where,
    why: 'the request was rejected although it has a result',
    change: (want, testCase, recorded): Outcome | undefined => {
      if (!pattern.test(testCase.name)) return undefined;
      const { error: _, ...rest } = want;
      return { ...rest, status: 200, result: result(recorded, testCase.operation) };
    },
  };
}
