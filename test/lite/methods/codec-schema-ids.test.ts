import { crc32 } from 'node:zlib';
import { expect, test } from 'vitest';
import { LITE_METHODS, type LiteMethod } from '../../../src/lite/methods/codec.ts';

/** Ids that the schema writes down, because a constructor kept its id when it changed. */
const WRITTEN_ID = { getValidatorStats: 0x091a58bc };

const BLOCK = 'id:tonNode.blockIdExt';
const ACCOUNT = 'account:liteServer.accountId';
const LOOKUP = 'lt:mode.1?long utime:mode.2?int';
const LIST = `${BLOCK} mode:# count:# after:mode.7?liteServer.transactionId3 reverse_order:mode.6?true want_proof:mode.5?true`;
const LISTED = `${BLOCK} req_count:# incomplete:Bool`;
const ENTRIES = 'result:vector liteServer.libraryEntry';
const LINKS = 'vector liteServer.shardBlockLink';
const PROVEN_STATE = `${BLOCK} shardblk:tonNode.blockIdExt shard_proof:bytes`;
const HEAD = 'last:tonNode.blockIdExt';
const STATE_AND_INIT = 'state_root_hash:int256 init:tonNode.zeroStateIdExt';
const OPTIONAL_RESULTS =
  'shard_proof:mode.0?bytes proof:mode.0?bytes state_proof:mode.1?bytes init_c7:mode.3?bytes lib_extras:mode.4?bytes exit_code:int result:mode.2?bytes';

/** Fields of each function, the name of its response, and the response's fields, as the public schema has them. */
const SCHEMA: Record<LiteMethod, readonly [fields: string, answer: string, answerFields: string]> = {
  getAccountState: [`${BLOCK} ${ACCOUNT}`, 'accountState', `${PROVEN_STATE} proof:bytes state:bytes`],
  getAccountStatePrunned: [`${BLOCK} ${ACCOUNT}`, 'accountState', `${PROVEN_STATE} proof:bytes state:bytes`],
  getAllShardsInfo: [BLOCK, 'allShardsInfo', `${BLOCK} proof:bytes data:bytes`],
  getBlock: [BLOCK, 'blockData', `${BLOCK} data:bytes`],
  getBlockHeader: [`${BLOCK} mode:#`, 'blockHeader', `${BLOCK} mode:# header_proof:bytes`],
  getBlockOutMsgQueueSize: [
    `mode:# ${BLOCK} want_proof:mode.0?true`,
    'blockOutMsgQueueSize',
    `mode:# ${BLOCK} size:long proof:mode.0?bytes`,
  ],
  getBlockProof: [
    'mode:# known_block:tonNode.blockIdExt target_block:mode.0?tonNode.blockIdExt',
    'partialBlockProof',
    'complete:Bool from:tonNode.blockIdExt to:tonNode.blockIdExt steps:vector liteServer.BlockLink',
  ],
  getConfigAll: [`mode:# ${BLOCK}`, 'configInfo', `mode:# ${BLOCK} state_proof:bytes config_proof:bytes`],
  getConfigParams: [
    `mode:# ${BLOCK} param_list:vector int`,
    'configInfo',
    `mode:# ${BLOCK} state_proof:bytes config_proof:bytes`,
  ],
  getDispatchQueueInfo: [
    `mode:# ${BLOCK} after_addr:mode.1?int256 max_accounts:int want_proof:mode.0?true`,
    'dispatchQueueInfo',
    `mode:# ${BLOCK} account_dispatch_queues:vector liteServer.accountDispatchQueueInfo complete:Bool proof:mode.0?bytes`,
  ],
  getLibraries: ['library_list:vector int256', 'libraryResult', ENTRIES],
  getLibrariesWithProof: [
    `${BLOCK} mode:# library_list:vector int256`,
    'libraryResultWithProof',
    `${BLOCK} mode:# ${ENTRIES} state_proof:bytes data_proof:bytes`,
  ],
  getMasterchainInfo: ['', 'masterchainInfo', `${HEAD} ${STATE_AND_INIT}`],
  getMasterchainInfoExt: [
    'mode:#',
    'masterchainInfoExt',
    `mode:# version:int capabilities:long ${HEAD} last_utime:int now:int ${STATE_AND_INIT}`,
  ],
  getOneTransaction: [
    `${BLOCK} ${ACCOUNT} lt:long`,
    'transactionInfo',
    `${BLOCK} proof:bytes transaction:bytes`,
  ],
  getOutMsgQueueSizes: [
    'mode:# wc:mode.0?int shard:mode.0?long',
    'outMsgQueueSizes',
    'shards:vector liteServer.outMsgQueueSize ext_msg_queue_size_limit:int',
  ],
  getShardBlockProof: [BLOCK, 'shardBlockProof', `masterchain_id:tonNode.blockIdExt links:${LINKS}`],
  getShardInfo: [
    `${BLOCK} workchain:int shard:long exact:Bool`,
    'shardInfo',
    `${PROVEN_STATE} shard_descr:bytes`,
  ],
  getState: [BLOCK, 'blockState', `${BLOCK} root_hash:int256 file_hash:int256 data:bytes`],
  getTime: ['', 'currentTime', 'now:int'],
  getTransactions: [
    `count:# ${ACCOUNT} lt:long hash:int256`,
    'transactionList',
    'ids:vector tonNode.blockIdExt transactions:bytes',
  ],
  getValidatorStats: [
    `mode:# ${BLOCK} limit:int start_after:mode.0?int256 modified_after:mode.2?int`,
    'validatorStats',
    `mode:# ${BLOCK} count:int complete:Bool state_proof:bytes data_proof:bytes`,
  ],
  getVersion: ['', 'version', 'mode:# version:int capabilities:long now:int'],
  listBlockTransactions: [
    LIST,
    'blockTransactions',
    `${LISTED} ids:vector liteServer.transactionId proof:bytes`,
  ],
  listBlockTransactionsExt: [LIST, 'blockTransactionsExt', `${LISTED} transactions:bytes proof:bytes`],
  lookupBlock: [`mode:# id:tonNode.blockId ${LOOKUP}`, 'blockHeader', `${BLOCK} mode:# header_proof:bytes`],
  lookupBlockWithProof: [
    `mode:# id:tonNode.blockId mc_block_id:tonNode.blockIdExt ${LOOKUP}`,
    'lookupBlockResult',
    `${BLOCK} mode:# mc_block_id:tonNode.blockIdExt client_mc_state_proof:bytes mc_block_proof:bytes shard_links:${LINKS} header:bytes prev_header:bytes`,
  ],
  'nonfinal.getPendingShardBlocks': [
    'mode:# wc:mode.0?int shard:mode.0?long',
    'nonfinal.pendingShardBlocks',
    'signed_blocks:vector tonNode.blockIdExt candidates:vector tonNode.blockIdExt',
  ],
  runSmcMethod: [
    `mode:# ${BLOCK} ${ACCOUNT} method_id:long params:bytes`,
    'runMethodResult',
    `mode:# ${BLOCK} shardblk:tonNode.blockIdExt ${OPTIONAL_RESULTS}`,
  ],
  sendMessage: ['body:bytes', 'sendMsgStatus', 'status:int'],
};

const idOf = (name: string, fields: string, type: string): number =>
  crc32(`liteServer.${name}${fields === '' ? '' : ` ${fields}`} = liteServer.${type}`);

const capital = (name: string): string =>
  name.replace(/\w+$/, (last) => last.charAt(0).toUpperCase() + last.slice(1));

test.each(Object.entries(SCHEMA))(
  'the ids of %s and of its response are those of the schema',
  (name, line) => {
    const method = name as LiteMethod;
    const [fields, answer, answerFields] = line;
    const definition = LITE_METHODS[method];
    const writtenId = (WRITTEN_ID as Partial<Record<LiteMethod, number>>)[method];
    expect(definition.id).toBe(writtenId ?? idOf(method, fields, capital(answer)));
    expect(definition.name).toBe(`liteServer.${method}`);
    expect(definition.response.id).toBe(idOf(answer, answerFields, capital(answer)));
    expect(definition.response.name).toBe(`liteServer.${answer}`);
  },
);
