import { beginCell, Cell } from '@ton/core';
import type { Outcome } from '../case.ts';
import { cellWithObject } from '../classic-stack.ts';
import type { Json } from '../recorded-files.ts';
import type { Recorded, Rule } from '../rule.ts';
import { masterchainInfoAtHead } from './time-rules.ts';

/** Questions that were refused, and that we answer: what we should say is known from other recorded answers. */
export const answerRules: readonly Rule[] = [
  answered(
    'a shard id in hex is read',
    '4.6',
    /^http\/getBlockTransactions\.err_shard_hex$/,
    ({ want }) => want('http/getBlockTransactions.with_hashes_hex').result,
  ),
  answered(
    'up to 1000 transactions are given',
    '20',
    /getTransactions\.err_limit101$/,
    ({ want }) => want('http/jsonRPC.getTransactions.err_limit101').result,
  ),
  answered('a batch is answered', '3', /^http\/jsonRPC\.err_array$/, ({ want }) => {
    const { id, jsonrpc, result } = want('http/jsonRPC.no_params');
    return [{ status: 200, id, jsonrpc, result: masterchainInfoAtHead(result) }];
  }),
  answered('no libraries are an empty list', '12.3', /getLibraries\.err_none$/, () => ({
    '@type': 'smc.libraryResult',
    result: [],
  })),
  answered(
    'a cell object need not say that it is ordinary',
    '16',
    /^http\/estimateFeeSimple$/,
    ({ want }) => want('tonlib/estimateFees.probe_external#estimateFee').result,
  ),
  answered('values that have no form are called unsupported', '20', /runGetMethod\.kinds$/, ({ want }) => {
    const { block_id, last_transaction_id } = want('http/runGetMethod.echo_cell').result;
    return { ...want('tonlib/runGetMethod.kinds#runGetMethod').result, block_id, last_transaction_id };
  }),
  answered(
    'a slice in base64 is read',
    '13.2',
    /runGetMethod\.wallet_address_slice_old$/,
    ({ want }) => want('http/runGetMethod.wallet_address_slice').result,
  ),
  answered('a cell object is read', '13.2', /runGetMethod\.echo_cell_obj$/, ({ want }) => {
    const cell = beginCell().storeUint(0b1010, 4).endCell();
    const bytes = cell.toBoc({ idx: false, crc32: true }).toString('base64');
    return { ...want('http/runGetMethod.echo_cell').result, stack: [['cell', cellWithObject(bytes)]] };
  }),
  answered(
    'a method given as a number is its id',
    '13.1',
    /runGetMethod\.seqno_by_id(?:_text)?$/,
    ({ want }) => want('http/runGetMethod.seqno').result,
  ),
  answered('the URI of a token need not be ASCII', '7.7', /getTokenData\.nft_item2$/, ({ want }) => {
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
  answered('hex numbers are read', '13.3', /^tonlib\/runGetMethod\.echo\.hex$/, ({ want }, operation) => {
    const answer = JSON.stringify(want(`tonlib/runGetMethod.echo.int#${operation}`).result);
    return JSON.parse(
      answer.replace(/"-?(?:0x)?[0-9a-f]+"/, operation === 'runGetMethod' ? '"0x10"' : '"16"'),
    );
  }),
];

function answered(
  name: string,
  where: string,
  pattern: RegExp,
  result: (recorded: Recorded, operation: string) => Json,
): Rule {
  return {
    name,
    kind: 'wanted',
    where,
    why: 'the question was refused, and has an answer',
    change: (want, asked, recorded): Outcome | undefined => {
      if (!pattern.test(asked.name)) return undefined;
      const { error: _, ...rest } = want;
      return { ...rest, status: 200, result: result(recorded, asked.operation) };
    },
  };
}
